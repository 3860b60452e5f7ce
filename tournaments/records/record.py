"""Game records: what a file says about one game, and Piskvork's .psq format. Other formats have modules of their own.

    Piskvorky 15x15, 11:11, 0      width x height, kinds of the two players, who starts (0: the first)
    8,8,120                        x,y,milliseconds, 1-based; the stones of an opening took 0
    ...
    pbrain-tengen                  the first player
    minimax                        the second
    0                              end code, see END_NORMAL and its neighbours
    1,Freestyle                    winner (1, 2, 0 for a draw) and rule, as in Gomocup's archive
"""

import contextlib
import os
import re
from dataclasses import dataclass
from pathlib import Path

from tournaments.brains.thought import SILENCE, Thought
from tournaments.rules.ending import Ending, format_result
from tournaments.rules.referee import Rule, parse_rule

END_NORMAL = 0
END_TIMEOUT = 15
END_ERROR = -2


def end_code_of(ending: Ending) -> int:
    """The end code of a game that ended so."""
    return END_TIMEOUT if ending.is_timeout else END_ERROR if ending.is_fault else END_NORMAL


@dataclass(frozen=True)
class Record:
    """One game as written down. Cells are 0-based here; `moves` are (x, y, milliseconds), Black's first.

    `winner` is 1 for Black, 2 for White and 0 for a draw. It, `rule` and `end_code` are None where the file is silent.
    `reason` is how the game ended, in words; `date` is the day as 2026-11-21; `event` and `round` say where it belongs;
    the first `opening_plies` stones are the opening's; `thoughts` is empty or holds one entry a move, and so does
    `messages`, the mover's MESSAGE lines parted by line feeds. Of these, "", 0 and () stand for what is not known.
    """

    width: int
    height: int
    moves: tuple[tuple[int, int, int], ...]
    black: str = ""
    white: str = ""
    end_code: int | None = None
    winner: int | None = None
    rule: str | None = None
    reason: str = ""
    date: str = ""
    event: str = ""
    round: str = ""
    opening_plies: int = 0
    thoughts: tuple[Thought, ...] = ()
    messages: tuple[str, ...] = ()

    @property
    def result(self) -> str:
        """Black's points, then White's: "1-0", "0-1", "1/2-1/2"; "*" where the winner is not known."""
        return "*" if self.winner is None else format_result(self.winner - 1 if self.winner else None)

    def known_rule(self, default: Rule) -> Rule:
        """The rule, `default` where the file is silent or names one that we do not know."""
        try:
            return parse_rule(self.rule or "")
        except ValueError:
            return default

    def thought(self, ply: int) -> Thought:
        """What the mover said before the move with that index, SILENCE where nothing is known."""
        return self.thoughts[ply] if ply < len(self.thoughts) else SILENCE


def format_psq(record: Record) -> str:
    """The text of a .psq file. Line breaks in names become spaces."""
    lines = [f"Piskvorky {record.width}x{record.height}, 11:11, 0"]
    lines += [f"{x + 1},{y + 1},{milliseconds}" for x, y, milliseconds in record.moves]
    lines += [" ".join(record.black.split()), " ".join(record.white.split())]
    lines.append(str(END_NORMAL if record.end_code is None else record.end_code))
    if record.winner is not None and record.rule is not None:
        lines.append(f"{record.winner},{record.rule}")
    return "\n".join(lines) + "\n"


def parse_psq(text: str, source: str = "record") -> Record:
    """Reads a .psq leniently: the moves end at the first line that is not `int,int[,int]`; what follows may be missing.

    Raises ValueError, naming `source` and the line, for a first line without a board size and for a move off the board.
    """
    lines = text.splitlines() or [""]
    header = re.search(r"(\d+)\s*x\s*(\d+)(?:.*,\s*(-?\d+)\s*$)?", lines[0])
    if header is None:
        first = lines[0].strip()[:60]
        raise ValueError(f"{source}, line 1: '{first}' names no board, as 'Piskvorky 15x15, 11:11, 0' does")
    width, height = int(header[1]), int(header[2])
    moves = []
    rest: list[str] = []
    for number, line in enumerate(lines[1:], start=2):
        move = re.fullmatch(r"\s*(-?\d+)\s*,\s*(-?\d+)\s*(?:,\s*(-?\d+)\s*)?", line)
        if move is None:
            rest = [left.strip() for left in lines[number - 1 :]]
            break
        x, y = int(move[1]) - 1, int(move[2]) - 1
        if not (0 <= x < width and 0 <= y < height):
            raise ValueError(f"{source}, line {number}: {line.strip()} is off the {width}x{height} board")
        moves.append((x, y, int(move[3] or 0)))
    # Games saved by hand have no names: a lone number there is the end code.
    names = [] if rest and re.fullmatch(r"-?\d+", rest[0]) else rest[:2]
    tail = rest[len(names) :]
    end_code = int(tail[0]) if tail and re.fullmatch(r"-?\d+", tail[0]) else None
    names += [""] * (2 - len(names))
    if int(header[3] or 0) != 0:
        names.reverse()
    result = re.fullmatch(r"([012]),(.+)", tail[1]) if len(tail) > 1 else None
    return Record(
        width=width,
        height=height,
        moves=tuple(moves),
        black=names[0],
        white=names[1],
        end_code=end_code,
        winner=int(result[1]) if result else None,
        rule=result[2] if result else None,
    )


def load_psq(path: Path) -> Record:
    """Reads a file as `parse_psq` does; unreadable bytes in names are replaced. Raises OSError and ValueError."""
    return parse_psq(path.read_text(encoding="utf-8", errors="replace"), source=str(path))


def save_psq(record: Record, path: Path) -> Path:
    """Writes the record so that `path` holds either nothing or all of it, and returns where it went.

    A game that is already there is never overwritten: the new one goes to a neighbour, `NAME-2.psq`. Raises OSError.
    """
    target, copy = path, 1
    while target.exists():
        copy += 1
        target = path.with_stem(f"{path.stem}-{copy}")
    temporary = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        temporary.write_text(format_psq(record), encoding="utf-8", newline="\n")
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    return target
