"""The report's modules, joined into one script."""

import re

import pytest

from tournaments.report.modules import join_modules


def join(**modules: str) -> str:
    return join_modules("page", modules.__getitem__)


def test_each_module_runs_once_and_after_what_it_imports() -> None:
    script = join(
        page='import {first} from "./a.js";\nimport {\n  second,\n} from "./b.js";\nfirst(second);\n',
        a='import {second} from "./b.js";\n\nexport function first() {}\n',
        b="export const second = 2;\nexport async function third() {}\nexport class Fourth {}\n",
    )
    assert re.findall(r"const (\w+)Module = ", script) == ["b", "a", "page"]
    assert "return {second, third, Fourth};" in script and "const {first} = aModule;" in script
    assert not re.search(r"^(import|export)\b", script, re.M)


def test_comments_with_types_stay_behind() -> None:
    types = ["/**", " * @param {number} a", " */"], ["/** @type {B} */"]
    script = join(page="\n".join([*types[0], "f();", "  /** @type {A} */ (b).c();", *types[1], "const d = 1;"]))
    assert "f();\n  /** @type {A} */ (b).c();\nconst d = 1;" in script and "@param" not in script


@pytest.mark.parametrize(
    "line",
    [
        "export default 1;",
        "export let a = 1;",
        "export {a};",
        'import * as b from "./b.js";',
        'import "./b.js";',
        'import {a as b} from "./b.js";',
        'import {a} from "b";',
        'import {a} from "./b.js"; // c',
    ],
)
def test_what_cannot_be_joined_is_told(line: str) -> None:
    with pytest.raises(ValueError, match=r"page\.js has a line that the report cannot join: ") as error:
        join(page=f"{line}\n", b="")
    assert line in str(error.value)


def test_modules_in_a_circle_are_told() -> None:
    with pytest.raises(ValueError, match="the modules page and a import each other in a circle"):
        join(page='import {b} from "./a.js";\n', a='import {c} from "./page.js";\n')
