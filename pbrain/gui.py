"""Commands of GUIs beyond the protocol: Yixin-Board's commands, which Rapfi and others understand too.

Each function takes the session and the rest of the command's line. YXBOARD and the YXBLOCK family are in session.py,
with the other blocks. Our own commands for the coach are in proofs.py. Biases are centipoints.
"""

from __future__ import annotations

import pbrain
from pbrain import proofs, protocol, swap2
from pbrain.settings import MAX_TABLE, processors
from pbrain.thinker import Trial

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine import Board
    from pbrain.position import Position
    from pbrain.session import Handler, Session
    from pbrain.thinker import Point

DEFAULT_LINES = 2
MAX_TRIALS = 1000  # of SURVEY
MAX_PAIRS = 400  # pairs that YXBALANCETWO looks at
KIBIBYTE = 10  # MAX_HASH_SIZE 20 means 2 ** 20 kibibytes


def show_info(session: Session, rest: str) -> None:
    """The options that the GUI may offer. From here on the manager's rule numbers are read as those of GUIs."""
    session.settings.is_gui = True
    session.send(protocol.format_message(f"Tengen {pbrain.__version__}"))
    session.send(protocol.format_message(f"INFO MAX_THREAD_NUM {processors()}"))
    session.send(protocol.format_message(f"INFO MAX_HASH_SIZE {MAX_TABLE.bit_length() - 1 - KIBIBYTE}"))


def show_forbidden(session: Session, rest: str) -> None:
    """Black's forbidden points by the current rule; only renju has such points."""
    position = session.ready()
    if position is None:
        return
    board = session.board(position)
    cells = [(x, y) for y in range(position.height) for x in range(position.width)]
    session.send(protocol.format_forbidden(point for point in cells if board.is_forbidden(*point)))


def clear_table(session: Session, rest: str) -> None:
    """Empties the table."""
    session.thinker.forget()


def show_table_usage(session: Session, rest: str) -> None:
    """The part of the table that the last search filled."""
    session.send(protocol.format_message(f"Transposition table full: {session.thinker.table_usage / 10:.1f} %"))


def reset_blocked(session: Session, rest: str) -> None:
    """Frees every cell that YXBLOCK has barred."""
    session.blocked.clear()


def reset_blocked_paths(session: Session, rest: str) -> None:
    """Frees every move that YXBLOCKPATH has barred."""
    session.blocked_paths.clear()


def stop(session: Session, rest: str) -> None:
    """Does nothing: the thread that reads the lines has already called move_now."""


def best_lines(session: Session, rest: str) -> None:
    """Searches the best few moves at the same time, and plays the best."""
    position = playable(session)
    if position is None:
        return
    count = protocol.parse_integer(rest)
    board, report = session.think(position)
    infos = session.thinker.best_lines(
        board,
        max(1, DEFAULT_LINES if count is None else count),
        session.allowance(),
        session.excluded(position),
        report.lines,
    )
    report.lines(infos, is_last=True)
    session.answer(position, [infos[0].move])


def search_defences(session: Session, rest: str) -> None:
    """Searches every move, marks those that lose, and plays the best."""
    position = playable(session)
    if position is None:
        return
    board, report = session.think(position)

    def mark(trial: Trial) -> None:
        report.cell("LOSE" if trial.is_lost else "DONE", trial.stones[0])

    trials = session.thinker.survey(
        board, single_stones(session, position, board), worth_playing, still_open, session.allowance(), mark
    )
    session.answer(position, trials[0].stones)


def balance_one(session: Session, rest: str) -> None:
    """Plays the move after which the game is nearest to the bias, for the side that has just moved."""
    position = playable(session)
    if position is not None:
        board, _ = session.think(position)
        balance(session, position, board, single_stones(session, position, board), rest)


def balance_two(session: Session, rest: str) -> None:
    """The same with two moves, ours and the opponent's, on one line; the bias is for the side of the second."""
    position = playable(session)
    if position is None:
        return
    if position.width * position.height - len(position.stones) - len(position.blocked) < 2:
        session.error("YXBALANCETWO on a board with one free cell")
        return
    board, _ = session.think(position)
    pairs = swap2.random_pairs(session.dice(), board, session.engine(), MAX_PAIRS)
    if pairs:
        balance(session, position, board, [Trial(pair) for pair in pairs], rest)
    else:
        session.error("YXBALANCETWO finds no two legal moves")


def balance(session: Session, position: Position, board: Board, trials: list[Trial], rest: str) -> None:
    """Answers with the trial nearest to the bias that `rest` names."""
    bias = protocol.parse_integer(rest) or 0
    best = session.thinker.survey(
        board, trials, lambda trial: -abs(trial.score - bias), swap2.most_promising, session.allowance()
    )[0]
    session.send(protocol.format_message(f"balance {best.score} depth {best.depth}"))
    session.answer(position, best.stones)


def survey(session: Session, rest: str) -> None:
    """The score of each trial after the position, for the side that places its last stone; a proved win is MATE.

    A trial is one or more stones `x,y`, ours first, with blanks between them; semicolons stand between trials.
    """
    position = playable(session)
    if position is None:
        return
    trials = [Trial(stones) for words in rest.split(";") if (stones := read_stones(words))]
    if len(trials) != rest.count(";") + 1 or len(trials) > MAX_TRIALS:
        session.error(f"SURVEY takes up to {MAX_TRIALS} trials such as 7,7 8,8;7,7 8,9, not '{rest[:40]}'")
        return
    fault = next((fault for trial in trials if (fault := trial_fault(position, trial.stones))), None)
    if fault is not None:
        session.error(f"SURVEY {fault}")
        return
    board, _ = session.think(position)
    if all(swap2.is_legal(board, session.engine(), tuple(trial.stones)) for trial in trials):
        session.thinker.survey(board, trials, worth_playing, still_open, session.allowance(), fewest=1)
        session.send(f"SURVEY {' '.join(str(trial.score) for trial in trials)}")
    else:
        session.error("SURVEY places a forbidden stone, or one that ends the game")
    session.is_searching = False


def read_stones(words: str) -> list[Point]:
    """The stones of a trial; [] if there is anything else among them."""
    points = [protocol.parse_point(text) for text in words.split()]
    return [] if None in points else [point for point in points if point is not None]


def trial_fault(position: Position, stones: Sequence[Point]) -> str | None:
    """Why the stones cannot be placed in turn, or None."""
    for index, (x, y) in enumerate(stones):
        if (x, y) in stones[:index]:
            return f"places two stones on {x},{y}"
        if (fault := position.fault(x, y)) is not None:
            return fault
    return None


def swap2_open(session: Session, rest: str) -> None:
    """Three stones for a swap2 game. Yixin-Board asks for them and sends no command that empties the board before."""
    position = session.ready()
    if position is not None:
        _, chosen = session.choose_opening(position, [])
        tell_stones(session, chosen, 1)


def swap2_answer(session: Session, rest: str) -> None:
    """With three stones on the board: a swap, or two more stones. GUIs ask for White's move by BOARD."""
    chosen = choose_swap2(session, "YXSWAP2STEP2", 3)
    if chosen is not None and len(chosen) == 2:
        tell_stones(session, chosen, 4)
    elif chosen is not None:
        session.send(protocol.format_message(f"SWAP2 SWAP1 {'NO' if chosen else 'YES'}"))


def swap2_end(session: Session, rest: str) -> None:
    """With five stones on the board: the choice to take black or not."""
    chosen = choose_swap2(session, "YXSWAP2STEP3", 5)
    if chosen is not None:
        session.send(protocol.format_message(f"SWAP2 SWAP2 {'NO' if chosen else 'YES'}"))


def choose_swap2(session: Session, word: str, count: int) -> list[Point] | None:
    """Our choice with `count` stones on the board (see Session.choose_opening); for another number ERROR, and None."""
    position = session.ready()
    if position is None:
        return None
    if len(position.stones) != count:
        session.error(f"{word} takes {count} stones, not {len(position.stones)}")
        return None
    return session.choose_opening(position, list(position.stones))[1]


def tell_stones(session: Session, stones: Sequence[Point], first: int) -> None:
    """Names the stones of a swap2 opening, the first of them as number `first`."""
    for number, (x, y) in enumerate(stones, first):
        session.send(protocol.format_message(f"SWAP2 MOVE{number} {x} {y}"))


def playable(session: Session) -> Position | None:
    """The position, if there is a cell to play on; else None, after an ERROR."""
    position = session.ready()
    if position is not None and position.is_full():
        session.error("the board is full")
        return None
    return position


def single_stones(session: Session, position: Position, board: Board) -> list[Trial]:
    """Each legal move near the stones that is not barred; every free cell if there is none."""
    free = [(x, y) for y in range(board.height) for x in range(board.width) if board.cell(x, y) == -1]
    legal = [point for point in free if swap2.is_legal_point(board, session.engine(), point)]
    barred = set(session.excluded(position))
    allowed = [point for point in legal if point not in barred]
    near = set(board.candidates())
    chosen = [point for point in allowed if point in near] or allowed or legal or free
    return [Trial((point,)) for point in chosen]


def worth_playing(trial: Trial) -> float:
    """The value of a trial that is to be played: its score."""
    return trial.score


def still_open(trials: list[Trial]) -> list[Trial]:
    """The trials that are not proved losses."""
    return [trial for trial in trials if not trial.is_lost]


def asks_database(word: str) -> Handler:
    """Answers a command about a database; the first such command loads the package of the store."""

    def answer(session: Session, rest: str) -> None:
        from pbrain import database

        database.HANDLERS[word](session, rest)

    return answer


DATABASE_WORDS = (
    "YXQUERYDATABASEALL",
    "YXQUERYDATABASEONE",
    "YXQUERYDATABASETEXT",
    "YXQUERYDATABASEALLT",
    "YXEDITTVDDATABASE",
    "YXEDITTEXTDATABASE",
    "YXEDITLABELDATABASE",
    "YXDELETEDATABASEONE",
    "YXDELETEDATABASEALL",
    "YXSETBESTMOVEDATABASE",
    "YXCLEARBESTMOVEDATABASE",
    "YXSETDATABASE",
    "YXSAVEDATABASE",
    "YXDBTOTXT",
    "YXDBTOTXTALL",
    "YXLIBTODB",
    "YXDBTOLIB",
    "YXDBSPLIT",
    "YXDBMERGE",
)
HANDLERS: dict[str, Handler] = {
    "YXSHOWINFO": show_info,
    "YXSHOWFORBID": show_forbidden,
    "YXHASHCLEAR": clear_table,
    "YXSHOWHASHUSAGE": show_table_usage,
    "YXBLOCKRESET": reset_blocked,
    "YXBLOCKPATHRESET": reset_blocked_paths,
    "YXSTOP": stop,
    "STOP": stop,
    "YXNBEST": best_lines,
    "YXSEARCHDEFEND": search_defences,
    "YXBALANCEONE": balance_one,
    "YXBALANCETWO": balance_two,
    "SURVEY": survey,
    "YXSWAP2STEP1": swap2_open,
    "YXSWAP2STEP2": swap2_answer,
    "YXSWAP2STEP3": swap2_end,
    **proofs.HANDLERS,
    **{word: asks_database(word) for word in DATABASE_WORDS},
}
