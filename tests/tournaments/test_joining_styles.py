"""Style sheets joined into one."""

import pytest

from tournaments.joining.styles import join_styles


def test_comments_and_spaces_stay_behind_and_strings_stay_as_they_are() -> None:
    sheet = """/* a { } */
    @media (max-width: 699px) and (hover: none) { :root { --target: 44px; --empty: ; } }
    main > .a :hover,  .b + .c { width: calc(1px + 2em); content: "/*  ;} */"; }
    .d::after { background: url("/page/icon.svg"); font: 12px/16px  'A  B' , serif; }
    """
    assert join_styles({"a.css": sheet, "b.css": "i{}"}) == (
        "@media (max-width:699px) and (hover:none){:root{--target:44px;--empty:}}"
        'main>.a :hover,.b + .c{width:calc(1px + 2em);content:"/*  ;} */"}'
        ".d::after{background:url(\"/page/icon.svg\");font:12px/16px 'A  B',serif}\ni{}\n"
    )


@pytest.mark.parametrize(
    ("sheet", "why"),
    [
        ("i { background: url(icon.svg); }", "names a file by an address that does not begin with a slash"),
        ("i { background: url('icon.svg'); }", "names a file by an address that does not begin with a slash"),
        ('@import "b.css";', "has a rule that must stand at the beginning of a file"),
        ("i { /* }", "a string or a comment does not end: i { /* }"),
        ('i { content: "; }', 'a string or a comment does not end: i { content: "; }'),
    ],
)
def test_what_would_mean_something_else_is_told(sheet: str, why: str) -> None:
    with pytest.raises(ValueError) as error:
        join_styles({"a.css": sheet})
    assert str(error.value) in (f"a.css {why}", f"a.css: {why}")
