"""Quizzes and moves tried again in a terminal, for `tengen review`: a board, a question, an answer judged by proof."""

import contextlib
import sys
import time
from collections.abc import Callable, Iterable, Sequence

from engine.diagram import text_board
from tournaments.board.library.library import Library
from tournaments.board.library.own_quizzes import is_right, settle
from tournaments.board.library.quizzes import NoQuiz, StoredQuiz
from tournaments.board.review.game_review import Quiz
from tournaments.board.review.move_judgement import (
    FOUL,
    GOOD,
    LOSES,
    MISSES,
    WINS,
    WORSE,
    MoveJudgement,
    judge_move,
)
from tournaments.brains.client import OpenBrain
from tournaments.cli.command_line import say
from tournaments.rules.notation import Opening, format_cell
from tournaments.rules.referee import COLOUR_NAMES, Board, Cell, Rule

MOST_CELLS = 8
"""The most right answers that are listed."""

QUIT = ("q", "quit")
"""The words that end a quiz, a move tried again or a walk."""

SHOW = (-1, -1)
"""The value that `read_answer` returns for the word show."""

TASKS = {
    "win": "There is a forced win. Where does it begin?",
    "hold": "Most moves lose. Which one does not?",
    "best": "What is the best move?",
}
_WORDS = {
    WINS: "{cell} wins by force.",
    LOSES: "{cell} loses by force.",
    FOUL: "{cell} is forbidden to Black.",
    GOOD: "{cell} is as good as the best move.",
    MISSES: "A forced win exists, and {cell} is not proved to win.",
    WORSE: "{cell} probably loses {loss} % of the chance to win.",
}


def draw(width: int, height: int, cells: Opening) -> str:
    """The board with these stones, the last one marked."""
    stones = [(cell, index % 2) for index, cell in enumerate(cells)]
    return text_board(width, height, stones, last=cells[-1] if cells else None)


def name_cells(cells: Sequence[Cell], height: int) -> str:
    """Cells in words: "h8, i9 or j10", with the number of cells that are not listed."""
    names = [format_cell(*cell, height) for cell in cells[:MOST_CELLS]]
    left = len(cells) - len(names)
    if left:
        return f"{', '.join(names)} and {left} more"
    return " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def read_cell(word: str, board: Board) -> Cell | None:
    """The empty cell named by a word, None for any other word."""
    letter, number = word[:1], word[1:]
    if not ("a" <= letter <= "z" and number.isascii() and number.isdecimal() and len(number) < 3):
        return None
    cell = ord(letter) - ord("a"), board.height - int(number)
    return cell if cell in set(board.empty_cells()) else None


def list_quizzes(quizzes: Iterable[Quiz]) -> list[str]:
    """The quizzes of one game, a line each."""
    return [f"Move {len(quiz.moves) + 1}: {COLOUR_NAMES[quiz.to_move]} to move. {TASKS[quiz.kind]}" for quiz in quizzes]


def list_kept(library: Library) -> None:
    """Prints the quizzes in the library, those due next first."""
    kept = library.quizzes.all()
    if not kept:
        say("There are no quizzes yet: tengen review GAME makes them from your mistakes.")
        return
    now = time.time()
    for each in kept:
        (line,) = list_quizzes([Quiz.from_json(each.data)])
        game = "" if each.game is None else f"Game {library.games.find(each.game).number}. "
        say(f"{each.number:4}  {_state(each, now):18}  {game}{line}")
    count = library.quizzes.count(now)
    say(f"{count.due} due, {count.solved} of {count.all} solved.")


def _state(kept: StoredQuiz, now: float) -> str:
    if kept.due is None:
        return "solved"
    return "due" if kept.due <= now else time.strftime("again %m-%d %H:%M", time.localtime(kept.due))


def ask_kept(library: Library, brain: OpenBrain, nodes: int) -> None:
    """Asks the quizzes of the library that are due, and saves the results."""
    now = time.time()
    due = [each for each in library.quizzes.all() if each.due is not None and each.due <= now]
    if not due:
        say("No quiz is due now. tengen review --list shows when the next one is due.")
        return

    def save(place: int, is_right: bool) -> None:
        with contextlib.suppress(NoQuiz):  # deleted on the page in the meantime
            settle(library, due[place], is_right)

    _ask_all([(f"Quiz {each.number}", Quiz.from_json(each.data)) for each in due], brain, nodes, save)


def ask_quizzes(quizzes: Sequence[tuple[int, Quiz]], brain: OpenBrain, nodes: int) -> None:
    """Asks the quizzes in order, each with the number of its game."""
    if not quizzes:
        say("There are no quizzes: no mistakes were found.")
        return
    _ask_all([(f"Game {game}", quiz) for game, quiz in quizzes], brain, nodes, lambda place, is_right: None)


def _ask_all(
    titled: Sequence[tuple[str, Quiz]], brain: OpenBrain, nodes: int, answered: Callable[[int, bool], None]
) -> None:
    """Asks the quizzes until the user quits. Calls `answered` with the place of each answered quiz and whether the
    answer is right."""
    right = asked = 0
    for place, (title, quiz) in enumerate(titled):
        answer = _ask(title, quiz, brain, nodes)
        if answer is None:
            break
        answered(place, answer)
        asked += 1
        right += answer
    say(f"{right} of {asked} right." if asked else "No quiz was answered.")


def _ask(title: str, quiz: Quiz, brain: OpenBrain, nodes: int) -> bool | None:
    """Asks a quiz: whether the answer is right, False if the user gives up; None for quit or the end of the input."""
    (line,) = list_quizzes([quiz])
    say(f"{title}, {line[0].lower()}{line[1:]}")
    say(draw(quiz.width, quiz.height, quiz.moves))
    board = _board(quiz.width, quiz.height, quiz.rule, quiz.moves)
    cell = read_answer(board)
    if cell is None:
        return None
    if cell == SHOW:
        _tell_answer("", quiz)
        return False
    right, why = quiz.is_right(cell), ""
    if not right:
        found = attempt(board, cell, brain, nodes)
        right, why = is_right(quiz, found.verdict), f" {describe(found, quiz.height)}"
    _tell_answer(f"{'Right.' if right else 'No.'}{why} ", quiz)
    return right


def read_answer(board: Board) -> Cell | None:
    """Asks for a move until the user enters an empty cell; SHOW if the user gives up, None for quit or the end of the
    input."""
    say("Your move, a cell such as h8; or show, which gives up and shows the answer; or quit:")
    while True:
        typed = sys.stdin.readline()
        word = typed.strip().lower()
        if not typed or word in QUIT:
            return None
        cell = SHOW if word == "show" else read_cell(word, board)
        if cell is not None:
            return cell
        say("That is not an empty cell of this board. Enter a cell such as h8, show, or quit.")


def _tell_answer(judgement: str, quiz: Quiz) -> None:
    good = "Not proved to lose" if quiz.kind == "hold" else "Good here"
    say(
        f"{judgement}{good}: {name_cells(quiz.accepted, quiz.height)}. "
        f"The move played was {format_cell(*quiz.played, quiz.height)}.\n"
    )


def describe(found: MoveJudgement, height: int) -> str:
    """A sentence on the judgement of a move."""
    return _WORDS[found.verdict].format(cell=format_cell(*found.cell, height), loss=round(100 * found.loss))


def try_again(width: int, height: int, rule: Rule, cells: Opening, brain: OpenBrain, nodes: int) -> None:
    """Asks for moves in this position and judges each, until one is as good as the best."""
    board = _board(width, height, rule, cells)
    say(draw(width, height, cells))
    say(f"{COLOUR_NAMES[board.side_to_move]} to move. Your move, a cell such as h8; or quit:")
    for line in sys.stdin:
        word = line.strip().lower()
        if word in QUIT:
            return
        cell = read_cell(word, board)
        if cell is None:
            say("That is not an empty cell of this board. Enter a cell such as h8, or quit.")
            continue
        found = attempt(board, cell, brain, nodes)
        say(f"{'Right.' if found.is_right else 'No.'} {describe(found, height)}")
        if found.proof is not None:
            say(f"Longest defence: {' '.join(format_cell(*each, height) for each in found.proof.main_line())}.")
        if found.is_right:
            return


def attempt(board: Board, cell: Cell, brain: OpenBrain, nodes: int) -> MoveJudgement:
    """The judgement of a move on a board of any size and rule. Raises BrainFailure."""
    brain.start(board.width, board.height, board.rule)
    return judge_move(board, cell, brain, nodes)


def _board(width: int, height: int, rule: int, cells: Opening) -> Board:
    board = Board(width, height, Rule(rule))
    for cell in cells:
        board.place(*cell)
    return board
