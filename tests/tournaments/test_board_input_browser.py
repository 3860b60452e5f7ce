"""Keys, wheel, buttons of the mouse, sounds and links of the page, in a real browser against a real server.

And what that browser does for a page of another site, or of a name that was made to lead here.
"""

import re
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest
from board_page import Served, Table, options

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.long

Open = Callable[..., Table]

TREE = "(;GM[4]SZ[15];B[hh];W[ig](;B[gi];W[ii])(;B[jj];W[kk]))(;GM[4]SZ[15]GN[second];B[aa])"

COUNT_SOUNDS = """
window.tones = 0;
window.AudioContext = class {
  constructor() { this.currentTime = 0; this.destination = {}; }
  resume() {}
  createGain() {
    return {gain: {setValueAtTime() {}, exponentialRampToValueAtTime() {}}, connect: next => next};
  }
  createOscillator() {
    return {frequency: {}, connect: next => next, start() { window.tones += 1; }, stop() {}};
  }
};
"""


@pytest.fixture
def visit(browser: "Browser", served: Served) -> Iterator[Open]:
    """Opens a page of its own browser: the owner's, and then one at a link, or a stranger's at a link."""
    tables: list[Table] = []

    def open_page(link: str = "/", is_owner: bool = True, **more: Any) -> Table:
        context = browser.new_context(**options(**more))
        table = Table(context.new_page(), served.origin)
        tables.append(table)
        if is_owner:
            table.page.goto(served.link)
            table.page.wait_for_function("() => !location.hash")
        if not is_owner or link != "/":
            table.page.goto(served.origin + link)
        if "#" in link and not link.startswith("/g/"):
            table.page.locator("#study .grid button").first.wait_for()
        return table

    yield open_page
    for table in tables:
        assert table.complaints == []
        table.page.context.close()


def paste(table: Table, text: str) -> None:
    """Pastes a text as Ctrl-V does."""
    table.page.evaluate(
        """text => {
          const data = new DataTransfer();
          data.setData("text", text);
          document.body.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true}));
        }""",
        text,
    )
    table.expect_status("read")


def left(table: Table, cell: str) -> float:
    """How far from the left a cell is drawn."""
    box = table.cell(cell).bounding_box()
    assert box is not None
    return box["x"]


def test_the_keys_that_step_through_a_tree(visit: Open) -> None:
    """Each step of the table, from the last stone of the main line; an undo takes back changes, and these are none."""
    table = visit("/#study")
    paste(table, TREE)
    steps = [
        ("End", "h8i9g7i7"),
        ("Home", ""),
        ("$", "h8i9g7i7"),
        ("0", ""),
        ("ArrowRight", "h8"),
        ("j", "h8i9"),
        ("ArrowLeft", "h8"),
        ("k", ""),
        ("Shift+ArrowRight", "h8i9"),
        ("ArrowRight", "h8i9g7"),
        ("ArrowDown", "h8i9j6"),
        ("ArrowUp", "h8i9g7"),
        ("ArrowRight", "h8i9g7i7"),
        ("Shift+ArrowLeft", "h8i9"),
        ("ArrowDown", "h8i9g7i7"),
        ("Control+z", "h8i9g7i7"),
        ("u", "h8i9g7i7"),
        ("ArrowUp", ""),
        ("PageDown", ""),
        ("ArrowRight", "a15"),
        ("PageUp", ""),
        ("ArrowRight", "h8"),
    ]
    table.page.evaluate("document.activeElement.blur()")
    for number, (key, moves) in enumerate(steps):
        table.press(key)
        assert "".join(table.stones()) == moves, (number, key)


def test_the_keys_that_ask_the_brain(visit: Open) -> None:
    table = visit("/#15/freestyle/h8a1i8a3j8a5")
    page = table.page
    table.press("Space")
    table.tab("Analysis")
    page.locator("#lines li").nth(2).wait_for()
    page.evaluate("document.activeElement.blur()")
    table.press("Escape")
    table.button("Analyse").wait_for()
    candidates = page.locator("#study-board rect.candidate")
    assert candidates.count() >= 1
    table.press("l")
    assert candidates.count() == 0 and page.locator("#lines").is_hidden()
    table.press("l")
    assert candidates.count() >= 1
    table.press("x")
    table.expect_status("Black wins by fours.")
    table.press("Enter")
    table.expect_status("Black played")
    assert len(table.stones()) == 7


def test_a_line_and_a_tree_are_copied(visit: Open) -> None:
    """One line goes as the names of its moves, a tree as SGF."""
    table = visit("/#15/freestyle/h8i9g7.2", permissions=["clipboard-read", "clipboard-write"])

    def copied() -> str:
        table.press("Control+c")
        table.expect_status("Copied")
        table.page.locator("#status").evaluate("line => line.textContent = ''")
        text: str = table.page.evaluate("navigator.clipboard.readText()")
        return text

    assert copied() == "h8i9g7"
    table.play("k6")
    assert re.sub(r"\s", "", copied()).endswith(";B[hh];W[ig](;B[gi])(;B[kj]))")


def test_what_the_other_side_threatens_is_found(visit: Open) -> None:
    """If White passed, Black's open three would become an open four."""
    table = visit("/#15/freestyle/h8a1i8a3j8")
    table.tab("Analysis")
    table.button("Find threats").click()
    table.expect_status("Black threatens to win by fours.")
    table.page.locator("#findings button").first.hover()
    assert table.page.locator("#study-board .ghost.black").count() == 1


def test_two_stones_that_balance_are_found(visit: Open) -> None:
    table = visit("/#15/freestyle/h8")
    table.press("B")
    table.expect_status("Balanced:")
    assert table.page.locator("#study-board text.candidate").all_text_contents() == ["=", "="]


# An open four, and the other side is to move: no move of it helps.
@pytest.mark.parametrize(("moves", "share"), [("h8a1i8a3j8a5k8", "100 %"), ("a1h8a3i8a5j8b7k8", "0 %")])
def test_the_share_after_a_balancing_stone_is_blacks(visit: Open, moves: str, share: str) -> None:
    table = visit(f"/#15/freestyle/{moves}")
    table.press("b")
    table.expect_status(f", Black has {share}.")


def test_the_keys_of_the_board_and_its_marks(visit: Open) -> None:
    table = visit("/#15/freestyle/h8i9")
    page = table.page
    page.locator("#tool").select_option("△")
    table.cell("c3").click()
    page.evaluate("document.activeElement.blur()")
    table.press("a")
    assert page.locator("#study-board .label").count() == 0
    table.press("a")
    assert page.locator("#study-board .label").count() == 1
    table.cell("h8").focus()
    for key, said in (("c", "No evaluation yet."), ("g", "Not analysed yet."), ("l", "i9, white, move 2")):
        table.press(key)
        table.expect_status(said)
    table.press("i")
    assert page.evaluate("document.activeElement.id") == "study-box"
    table.press("k")
    assert page.locator("#study-box").input_value() == "k" and len(table.stones()) == 2, "letters that are typed"


def test_a_board_that_is_turned_and_mirrored_stays_so_and_is_played_on(visit: Open) -> None:
    table = visit("/#20x10/freestyle/a1")
    assert left(table, "a1") < left(table, "t1")
    table.press("f")
    assert left(table, "a1") > left(table, "t1")
    table.play("b2")
    drawn = table.page.locator("#study-board .stone[data-cell=b2]").bounding_box()
    button = table.cell("b2").bounding_box()
    assert drawn is not None and button is not None
    assert abs(drawn["x"] + drawn["width"] / 2 - button["x"] - button["width"] / 2) < 2
    assert table.page.evaluate("location.hash") == "#20x10/freestyle/a1b2"
    table.page.reload()
    table.page.locator("#study-board .stone[data-cell=b2]").wait_for()
    assert left(table, "a1") > left(table, "t1")
    table.press("F")
    assert left(table, "a1") < left(table, "t1")
    first = table.page.locator("#study .grid button").first
    assert first.get_attribute("data-cell") == "a1", "turned and mirrored: rows go upwards"


def test_the_wheel_steps_and_the_right_button_takes_back(visit: Open) -> None:
    table = visit("/#15/freestyle/h8i9g7")
    table.cell("c3").hover()
    table.page.mouse.wheel(0, -100)
    table.page.locator("#study-board .stone[data-cell=g7]").wait_for(state="detached")
    table.page.mouse.wheel(0, 100)
    table.page.locator("#study-board .stone[data-cell=g7]").wait_for()
    table.cell("c3").click(button="right")
    assert list(table.stones()) == ["h8", "i9"]
    table.page.locator("#to-play").click()
    table.new_game(opponent="local")
    table.play("h8", "i9")
    table.cell("c3").click(button="right")
    table.page.locator("#board .stone[data-cell=i9]").wait_for(state="detached")
    assert list(table.stones()) == ["h8"]


def test_a_link_has_all_that_its_figures_depend_on(visit: Open) -> None:
    def figures(table: Table) -> str:
        page = table.page
        table.button("Analyse").click()
        page.wait_for_function("() => /finished/.test(document.getElementById('analysis-facts').textContent)")
        assert page.locator("#lines li").count() == 5
        said = page.locator("#analysis-facts").inner_text()
        return page.locator("#lines").inner_text() + "".join(re.findall(r"[\d,]+ nodes", said))

    table = visit("/#15/freestyle/h8i9g7i7;n=3000;l=5")
    first = figures(table)
    link = table.page.evaluate("location.hash")
    assert re.fullmatch(r"#15/freestyle/h8i9g7i7;n=3000;l=5;v=[\w.-]+", link)
    assert figures(visit("/" + link, is_owner=False)) == first
    # The wheel over a line shows its moves.
    table.tab("Analysis")
    table.page.locator("#lines li b").first.hover()
    for count in (1, 2):
        table.page.mouse.wheel(0, 100)
        table.page.wait_for_function(
            "count => document.querySelectorAll('#study-board .ghost').length === count", arg=count
        )


def test_a_position_goes_to_other_boards_and_comes_back(visit: Open) -> None:
    table = visit("/#15/renju/h8i9j10.2")
    fields = table.page.locator("#study-links input")
    links = [fields.nth(number).input_value() for number in range(fields.count())]
    assert links == [
        f"{table.origin}/#15/renju/h8i9j10.2",
        "https://gomocalc.com/#/h8i9",
        "https://www.renjuportal.com/board?mvs=7786",
    ]
    for link in links[1:]:
        paste(table, link)
        assert list(table.stones()) == ["h8", "i9"]
        table.press("Home")
        table.page.locator("#status").evaluate("line => line.textContent = ''")
    with table.page.expect_download() as saved:
        table.tab("Share")
        table.button("psq").click()
    assert saved.value.path().read_text(encoding="utf-8").startswith("Piskvorky 15x15")
    table.page.goto(f"{table.origin}/#20/freestyle/a1")
    table.page.wait_for_function("() => document.querySelectorAll('#study-links input').length === 1")


def test_a_game_goes_out_as_a_moving_picture(visit: Open) -> None:
    """The browser reads each frame again: stones come one by one, in their colours."""
    table = visit("/#10x5/freestyle/e3f4g5.0")
    with table.page.expect_download() as saved:
        table.tab("Share")
        table.button("GIF").click()
    table.expect_status("The picture is saved.")
    assert table.stones() == {}, "the board shows what it showed before"
    data = saved.value.path().read_bytes()
    assert data[:6] == b"GIF89a" and data[-1:] == b";"
    found = table.page.evaluate(
        """async bytes => {
          const decoder = new ImageDecoder({data: new Uint8Array(bytes), type: "image/gif"});
          await decoder.tracks.ready;
          const said = [];
          for (let index = 0; index < decoder.tracks.selectedTrack.frameCount; index++) {
            const {image} = await decoder.decode({frameIndex: index}), canvas = document.createElement("canvas");
            canvas.width = image.displayWidth;
            canvas.height = image.displayHeight;
            const context = canvas.getContext("2d");
            context.drawImage(image, 0, 0);
            const {data} = context.getImageData(0, 0, canvas.width, canvas.height);
            let dark = 0, light = 0;
            for (let at = 0; at < data.length; at += 4) {
              dark += Math.max(data[at], data[at + 1], data[at + 2]) < 90;
              light += Math.min(data[at], data[at + 1], data[at + 2]) > 200;
            }
            said.push([canvas.width, canvas.height, image.duration / 1e6, dark, light]);
          }
          return said;
        }""",
        list(data),
    )
    assert [frame[:3] for frame in found] == [[480, found[0][1], seconds] for seconds in (0.8, 0.8, 0.8, 3)]
    (bare, black, white, both) = ([frame[3], frame[4]] for frame in found)
    assert black[0] > bare[0] + 100 and white[1] > black[1] + 100 and both[0] > white[0] + 100


def test_two_others_play_and_the_maker_watches(visit: Open) -> None:
    owner = visit()
    owner.new_game(opponent="others")
    links, named = owner.page.locator("#invite input"), owner.page.locator("#invite .copy span")
    links.nth(1).wait_for()
    assert named.all_inner_texts() == ["Link for Black", "Link for White"]
    black, white = (visit(links.nth(seat).input_value().removeprefix(owner.origin), is_owner=False) for seat in (0, 1))
    white.button("Take the seat").click()
    owner.page.wait_for_function("() => document.querySelectorAll('#invite input').length === 1")
    assert named.all_inner_texts() == ["Link for Black"]
    black.button("Take the seat").click()
    owner.page.locator("#invite").wait_for(state="hidden")
    black.expect_status("Your move: you are Black.")
    black.play("h8")
    white.expect_status("Black played h8.")
    white.play("i9")
    owner.page.locator("#board .stone[data-cell=i9]").wait_for()
    owner.cell("a1").click()
    owner.expect_status("You are watching this game.")


def test_sounds_are_off_until_they_are_wanted(visit: Open) -> None:
    table = visit()
    table.page.add_init_script(COUNT_SOUNDS)
    table.page.reload()
    table.new_game(opponent="local")
    table.play("h8")
    assert table.page.evaluate("tones") == 0
    table.button("Settings").click()
    table.page.get_by_label("Sounds").check()
    assert table.page.evaluate("tones") == 1, "one hears what was switched on"
    table.button("Close").click()
    table.play("i9")
    assert table.page.evaluate("tones") == 2
    table.button("Resign").click()
    table.button("Yes, resign").click()
    table.page.locator("#result").wait_for()
    assert table.page.evaluate("tones") == 5, "the end has three tones"
    table.page.reload()
    table.page.locator("#result").wait_for()
    table.button("Settings").click()
    assert table.page.get_by_label("Sounds").is_checked()


class OtherSite(BaseHTTPRequestHandler):
    """An empty page of another server on this machine."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!DOCTYPE html><title>Other</title>")

    def log_message(self, format: str, *values: object) -> None:
        pass


def test_a_page_of_another_server_reaches_nothing(visit: Open) -> None:
    """Another port of this machine is the same site, and another origin."""
    table = visit()
    table.button("Play now").wait_for()
    table.forgives = lambda text: True
    other = ThreadingHTTPServer(("127.0.0.1", 0), OtherSite)
    threading.Thread(target=other.serve_forever, daemon=True).start()
    try:
        table.page.goto(f"http://127.0.0.1:{other.server_port}/")
        found = table.page.evaluate(
            """async board => {
              const opened = new Promise(done => {
                const socket = new WebSocket(board.replace("http", "ws") + "/ws");
                socket.onopen = () => done(true);
                socket.onerror = () => done(false);
              });
              const read = async (path, options) => {
                try { return (await fetch(board + path, {credentials: "include", ...options})).status; }
                catch { return "unread"; }
              };
              const load = (tag, values) => new Promise(done => {
                const element = Object.assign(document.createElement(tag), values);
                element.onload = () => done("loaded");
                element.onerror = () => done("refused");
                document.body.append(element);
              });
              return [await opened, await read("/"), await read("/page/app.js"),
                await read("/message", {method: "POST", body: "{}"}),
                await load("script", {src: board + "/page/app.js", type: "module"})];
            }""",
            table.origin,
        )
        assert found == [False, "unread", "unread", "unread", "refused"]
        table.page.evaluate(
            "board => document.body.append(Object.assign(document.createElement('iframe'), {src: board}))",
            table.origin,
        )
        framed = table.page.locator("iframe").element_handle().content_frame()
        assert framed is not None
        framed.wait_for_load_state()
        assert framed.locator("#quick").count() == 0, "no page frames the board"
    finally:
        other.shutdown()
        other.server_close()


def test_a_name_that_was_made_to_lead_here_gets_nothing(visit: Open) -> None:
    """Every name under localhost leads to this machine in a browser, as a rebound name does."""
    table = visit()
    table.forgives = lambda text: True
    answer = table.page.goto(table.origin.replace("127.0.0.1", "evil.localhost"))
    assert answer is not None and answer.status == 403
    assert table.page.locator("#quick").count() == 0
    opened = table.page.evaluate(
        """() => new Promise(done => {
          const socket = new WebSocket(`ws://${location.host}/ws`);
          socket.onopen = () => done(true);
          socket.onerror = () => done(false);
        })"""
    )
    assert opened is False


def test_a_brain_by_nodes_and_a_swap_opening_by_clicks(visit: Open) -> None:
    table = visit()
    table.new_game(strength="nodes", nodes="300", colour="black")
    assert "Tengen, 300 nodes a move" in table.page.locator("#player-far").inner_text()
    table.play("h8")
    table.expect_status("Your move")
    assert len(table.stones()) == 2
    moves = [" ".join((text or "").split()) for text in table.page.locator("#moves li").all_text_contents()]
    assert re.fullmatch(r"h8 \d+\.\d s", moves[0]) and re.search(r"\d\.\d s$", moves[1]), "each with its time"
    table = visit()
    table.new_game(opponent="local", opening="swap")
    table.play("h8", "i9", "j7")
    group = table.page.get_by_role("group", name="Choose how to continue")
    assert group.get_by_role("button").all_inner_texts() == ["Play Black", "Play White"]
    group.get_by_role("button", name="Play Black").click()
    table.play("c3")
    assert list(table.stones().values()) == ["black", "white", "black", "white"]
