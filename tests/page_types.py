"""The page's types of messages, made from the server's: `python -P tests/page_types.py` writes page/net/messages.d.ts.

Requests come from the schemas in board/messages/requests.py, answers from the types in board/messages/answers.py.
"""

import json
import re
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from tournaments.board.messages.answers import AnyAnswer
from tournaments.board.messages.requests import AnyRequest

FILE = Path(__file__).parents[1] / "tournaments" / "board" / "page" / "net" / "messages.d.ts"
HEAD = """// The messages between page and server. Do not edit: `python -P tests/page_types.py` makes this file,
// of the schemas in board/messages/requests.py and the types in board/messages/answers.py.

// The type of an answer with the id of its request.
export type Answered<Message> = Message & {id?: number | string};
"""
SIMPLE = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def make_types() -> str:
    """The text of the file."""
    parts = [HEAD]
    for name, union in (("AnyRequest", AnyRequest), ("AnyAnswer", AnyAnswer)):
        adapter: TypeAdapter[Any] = TypeAdapter(union)
        schema = adapter.json_schema()
        defined: dict[str, Any] = schema.pop("$defs")
        parts += [_declare(each, found) for each, found in defined.items()]
        parts.append(f"export type {name} =\n  | " + "\n  | ".join(_type(each) for each in schema["anyOf"]) + ";\n")
    return "\n".join(parts)


def _declare(name: str, schema: dict[str, Any]) -> str:
    """An interface, or a type for other schemas than objects."""
    words = " ".join(schema.get("description", "").split())
    comment = f"/** {words} */\n" if words and "properties" in schema else ""
    if "properties" not in schema:
        return f"export type {name} = {_type(schema)};\n"
    needed = schema.get("required", [])
    lines = [
        f"  {_key(key)}{'' if key in needed else '?'}: {_type(value)};" for key, value in schema["properties"].items()
    ]
    return f"{comment}export interface {name} {{\n" + "\n".join(lines) + "\n}\n"


def _key(name: str) -> str:
    return name if re.fullmatch(r"\w+", name) else json.dumps(name)


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(map(_type, schema["anyOf"])))
    kind = schema.get("type")
    if kind == "array" and "prefixItems" in schema:
        return f"[{', '.join(map(_type, schema['prefixItems']))}]"
    if kind == "array":
        item = _type(schema.get("items", {}))
        return f"({item})[]" if "|" in item else f"{item}[]"
    if kind == "object":
        more = schema.get("additionalProperties")
        return f"Record<string, {_type(more) if isinstance(more, dict) else 'unknown'}>"
    return SIMPLE[kind] if kind is not None else "unknown"


if __name__ == "__main__":
    FILE.write_text(make_types(), encoding="utf-8", newline="\n")
