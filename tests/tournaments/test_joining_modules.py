"""Modules joined into one script, or into a few: the joined code, the parts that stay behind, and refusals."""

import json
import re

import pytest

from tournaments.board.server.assets import SHARED, _files
from tournaments.joining.files import PageFiles
from tournaments.joining.modules import join_modules


def join(**modules: str) -> str:
    texts = {f"{name}.js": text for name, text in modules.items()}
    return join_modules("page.js", texts.__getitem__)


def test_each_module_runs_once_and_after_what_it_imports() -> None:
    script = join(
        page='import {first} from "./a.js";\nimport {\n  second as two,\n} from "./b.js";\nfirst(two);\n',
        a='import {second} from "./b.js";\n\nexport function first() {}\n',
        b="export const second = (1, 2);\nexport async function third() {}\nexport class Fourth {}\nexport {};\n",
    )
    assert re.findall(r'm\["(\w+)\.js"\]=', script) == ["b", "a", "page"]
    assert "return{second,third,Fourth};" in script
    assert 'const{first}=m["a.js"];' in script and 'const{second:two}=m["b.js"];' in script
    assert not re.search(r"^(import|export)\b", script, re.M)


def test_comments_and_spaces_stay_behind_and_literals_stay_as_they_are() -> None:
    lines = [
        "/** A comment. */",
        "  const a = \"/* no  comment */\", b = 'it\\'s // \\\\';  // one",
        "const c = `a  ${b + `{ ${`}`} // `} /* */\n   export const d = 1;`;",
        "const e = /[/\"'`]\\/  /g, f = (a / b) / c, g = [/x  y/, a] / 2, h = a[0] / 2 / c.in / 3, i = {import: 1};",
        "return /* a",
        "b */ /  '/.test(a) ? .5 : a - -b;",
    ]
    script = join(page="\n".join(lines))
    assert script.partition("(()=>{\n")[2].partition("\nreturn{")[0] == "\n".join(
        [
            "const a=\"/* no  comment */\",b='it\\'s // \\\\';",
            "const c=`a  ${b + `{ ${`}`} // `} /* */\n   export const d = 1;`;",
            "const e=/[/\"'`]\\/  /g,f=(a / b)/ c,g=[/x  y/,a]/ 2,h=a[0]/ 2 / c.in / 3,i={import:1};",
            "return",
            "/  '/.test(a)?.5:a - -b;",
        ]
    )


@pytest.mark.parametrize(
    "line",
    [
        "export default 1;",
        "export let a = 1;",
        "export {a};",
        "export const {a} = b;",
        "  export const a = 1;",
        'export * from "./b.js";',
        'import * as b from "./b.js";',
        'import b from "./b.js";',
        'import "./b.js";',
        'import {"a" as b} from "./b.js";',
        "const a = import.meta.url;",
    ],
)
def test_what_cannot_be_joined_is_told(line: str) -> None:
    with pytest.raises(ValueError, match=r"^page\.js: it has an import or an export that cannot be joined: ") as error:
        join(page=f"f();\n{line}\n", b="")
    assert line.split("import")[-1].split("export")[-1] in str(error.value)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('import {a} from "b";', 'it imports "b", which is not a module of this page'),
        ("import(`./${a}.js`);", "it imports `./${a}.js`, which is not a module of this page"),
        ('import {a b} from "./b.js";', "it imports a b"),
        ("export const a = 1, b = 2;", "it exports several constants at once"),
        ("const a = await b;", "it waits outside a function"),
        ("if (a) /b/.test(c);", "a slash may divide or begin a regular expression: if (a) /b/.test(c);"),
        ("{}\n/b/.test(c);", "a slash may divide or begin a regular expression"),
        ('const a = "b;', "a string does not end"),
        ("const a = `b${`;", "a template does not end"),
        ("const a = /b;\n", "a regular expression does not end"),
        ("if (a < !--b) c();", "without its spaces it has a comment of HTML"),
    ],
)
def test_what_cannot_be_read_is_told(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"page.js: {why}")):
        join(page=text, b="")


def test_modules_in_a_circle_are_told() -> None:
    with pytest.raises(ValueError, match=r"the modules page\.js and a\.js import each other in a circle"):
        join(page='import {b} from "./a.js";\n', a='import {c} from "./page.js";\nexport const b = 1;\n')


PAGE = {
    "app.js": 'import {a} from "./net/a.js";\n/** @type {A} */\nconst one = () => import("./one.js");\na(one);\n',
    "one.js": 'import {a} from "./net/a.js";\nimport {both} from "./both.js";\n'
    'export const two = () => import("./two.js");\n',
    "two.js": 'import {both} from "./both.js";\nimport {own} from "./own.js";\nexport const b = `\n${both}`;\n',
    "own.js": "export const own = 1;\n",
    "both.js": "export const both = 1;\n",
    "net/a.js": "export const a = 1;\n",
}


def test_what_is_needed_later_is_in_files_of_its_own() -> None:
    page = PageFiles("app.js", PAGE.__getitem__)
    has = {name: re.findall(r'm\["([\w./]+)"\]=', text) for name, text in page.texts.items()}
    assert has[page.first] == ["net/a.js", "both.js", "app.js"], "what two of the later ones need is there before them"
    assert {entry: has[name] for entry, name in page.later.items()} == {
        "one.js": ["one.js"],
        "two.js": ["own.js", "two.js"],
    }
    assert f'load("one.js","./{page.later["one.js"]}")' in page.texts[page.first]
    assert f'load("two.js","./{page.later["two.js"]}")' in page.texts[page.later["one.js"]]
    assert page.face("own.js", "/page/") == (
        f'import {{load}} from "/page/{page.first}";\n'
        f'export const {{own}} = await load("own.js", "./{page.later["two.js"]}");\n'
    )
    other = PageFiles("app.js", {**PAGE, "own.js": "export const own = 2;\n"}.__getitem__)
    assert other.first != page.first and other.later["two.js"] != page.later["two.js"]


def test_a_map_leads_each_line_to_its_source() -> None:
    page = PageFiles("app.js", PAGE.__getitem__)
    name = page.later["two.js"]
    found = json.loads(page.source_map(name))
    assert found["sources"] == ["own.js", "two.js"] and found["sourcesContent"] == [PAGE["own.js"], PAGE["two.js"]]
    lines = page.texts[name].split("\n")
    mapped = [(lines[number], text) for number, text in enumerate(found["mappings"].split(";")) if text]
    # Each segment: the column, the change of the source, the change of the line (C is 1, D is -1), the column there.
    assert mapped == [
        ("const own=1;", "AAAA"),
        ('const{both}=m["both.js"];', "ACAA"),
        ('const{own}=m["own.js"];', "AACA"),
        ("const b=`", "AACA"),
        ("${both}`;", "AACA"),
    ]


def test_the_page_can_be_joined_and_every_module_is_in_one_file() -> None:
    sources = {name: file.read_text("utf-8") for name, file in _files().items() if name.endswith(".js")}
    page = PageFiles("app.js", sources.__getitem__)
    joined = [name for text in page.texts.values() for name in re.findall(r'^m\["([\w./-]+)"\]=', text, re.M)]
    assert len(joined) == len(set(joined)) > 50 and set(joined) >= {name for name in SHARED if name.endswith(".js")}
    assert set(sources) - set(joined) == {"net/exchange.js"}, "it has types only"
    assert {"play/play.js", "study/study.js"} <= page.later.keys()
