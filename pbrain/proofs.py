"""Commands beyond the protocol for the review of games: proofs of wins and losses in the current position.

The position comes by YXBOARD or BOARD; our side is to move, as always. The answer to each command is one line, a word
and JSON:

    PROVE [NODES [STEPS]]     PROOF {"proof": STEPS or null, "plies": 7}
    WINS [NODES [STEPS]]      WINS {"moves": [[x, y, plies], ...]}
    LOSSES [NODES [STEPS]]    LOSSES {"moves": [[x, y, plies], ...], "proof": STEPS or null}

PROVE proves a win of the side to move by fours and threes. WINS names its moves that are proved to win in this way,
with the plies to the five. LOSSES names its moves that are proved to lose, with the plies from the opponent's answer to
the opponent's five; if all moves lose, a proof of that follows. A proof is a list of steps, as `engine.proof.flatten`
writes them. null or [] means that nothing was proved; there may still be a win or a loss.

NODES is the limit of each solver, STEPS the limit of a proof's size. The answer depends on the position, the rule, and
these two alone. A command that stops the search for a move stops a proof too; nothing is then proved. The lines are
longer than others, up to 60,000 characters. A proof that is too long for a line is left out, and "steps" is the number
of its steps.
"""

from __future__ import annotations

from pbrain import protocol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engine import Board, Win
    from engine.proof import Loss, Prover
    from pbrain.session import Handler, Session

MAX_NODES = 10_000_000
MAX_STEPS = 5_000
MAX_ANSWER = 60_000  # characters of a line; managers keep 64 KiB of one


def prove(session: Session, rest: str) -> None:
    """Answers with a proof that the side to move wins."""
    asked = prepare(session, "PROVE", rest)
    if asked is not None:
        board, prover = asked
        win = prover.win(board)
        answer(session, "PROOF", {"plies": win.plies if win else None}, win)


def wins(session: Session, rest: str) -> None:
    """Answers with the moves that are proved to win."""
    asked = prepare(session, "WINS", rest)
    if asked is not None:
        board, prover = asked
        found = [[x, y, step.plies] for (x, y), step in prover.winning_moves(board)]
        answer(session, "WINS", {"moves": found})


def losses(session: Session, rest: str) -> None:
    """Answers with the moves that are proved to lose and, if all of them lose, with a proof."""
    asked = prepare(session, "LOSSES", rest)
    if asked is not None:
        board, prover = asked
        found = [[x, y, plies] for (x, y), plies in prover.losing_moves(board)]
        is_lost = len(found) == len(board.legal_moves())
        answer(session, "LOSSES", {"moves": found}, prover.loss(board) if is_lost else None)


def prepare(session: Session, word: str, rest: str) -> tuple[Board, Prover] | None:
    """The board and its prover, with the limits in `rest`; None, after an ERROR, if it cannot be made."""
    from engine import proof  # most games never need it

    position = session.ready()
    if position is None:
        return None
    numbers = [protocol.parse_integer(text) for text in rest.split()]
    if len(numbers) > 2 or any(number is None or number < 1 for number in numbers):
        session.error(f"{word} takes up to two numbers above 0, not '{rest[:40]}'")
        return None
    given = [number for number in numbers if number is not None]
    limits = [*given, *(proof.NODES, proof.STEPS)[len(given) :]]
    session.begin()
    prover = proof.Prover(min(limits[0], MAX_NODES), min(limits[1], MAX_STEPS), lambda: session.thinker.is_stopped)
    return session.board(position), prover


def answer(session: Session, word: str, value: dict[str, object], root: Win | Loss | None = None) -> None:
    """Sends the answer, with the proof of this root if there is one."""
    import json

    from engine.proof import flatten

    if word != "WINS":
        rows = flatten(root) if root is not None else None
        value = {"proof": rows, **value}
        if rows is not None and len(json.dumps(value, separators=(",", ":"))) > MAX_ANSWER:
            value = {**value, "proof": None, "steps": len(rows)}
    session.is_searching = False
    session.send(f"{word} {json.dumps(value, separators=(',', ':'))}")


HANDLERS: dict[str, Handler] = {"PROVE": prove, "WINS": wins, "LOSSES": losses}
