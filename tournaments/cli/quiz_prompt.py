"""Quizzes and moves tried again in a terminal, for `tengen review`: a board, a question, an answer judged by proof."""

import contextlib
import sys
import time
from collections.abc import Callable, Iterable, Sequence

from engine.diagram import text_board
from tournaments.board.library.library import Library
from tournaments.board.library.own_quizzes import is_right, settle
from tournaments.board.library.quizzes import LINE, NoQuiz, StoredQuiz
from tournaments.board.openings.own_lines import is_accepted
from tournaments.board.review.game_review import Quiz
from tournaments.board.review.move_judgement import MoveJudgement, judge_move
from tournaments.brains.client import OpenBrain
from tournaments.cli.command_line import say
from tournaments.rules.notation import Opening, format_cell
from tournaments.rules.referee import Board, Cell, Rule
from tournaments.stats.table import pad
from tournaments.translations.catalogue import ENGLISH, colour_name, join_names, join_sentences, translate

MOST_CELLS = 8
"""The most right answers that are listed."""

QUIT = ("q", "quit")
"""The words that end a quiz, a move tried again or a walk."""

SHOW = (-1, -1)
"""The value that `read_answer` returns for the word show."""


def draw(width: int, height: int, cells: Opening) -> str:
    """The board with these stones, the last one marked."""
    stones = [(cell, index % 2) for index, cell in enumerate(cells)]
    return text_board(width, height, stones, last=cells[-1] if cells else None)


def name_cells(cells: Sequence[Cell], height: int, language: str = ENGLISH) -> str:
    """Cells in words: "h8, i9 or j10", with the number of cells that are not listed."""
    names = [format_cell(*cell, height) for cell in cells[:MOST_CELLS]]
    left = len(cells) - len(names)
    if left:
        return translate("quiz.more", language, cells=join_names(names, language), count=left)
    return translate("play.or", language).join(
        [join_names(names[:-1], language), names[-1]] if len(names) > 1 else names
    )


def read_cell(word: str, board: Board) -> Cell | None:
    """The empty cell named by a word, None for any other word."""
    letter, number = word[:1], word[1:]
    if not ("a" <= letter <= "z" and number.isascii() and number.isdecimal() and len(number) < 3):
        return None
    cell = ord(letter) - ord("a"), board.height - int(number)
    return cell if cell in set(board.empty_cells()) else None


def list_quizzes(quizzes: Iterable[Quiz], language: str = ENGLISH) -> list[str]:
    """The quizzes of one game, a line each."""
    return [_describe_quiz(quiz, "quiz.line", language) for quiz in quizzes]


def _describe_quiz(asked: Quiz, key: str, language: str, **values: object) -> str:
    """The move of a quiz, the side to move and the question, by a text that may have further values."""
    return translate(
        key,
        language,
        number=len(asked.moves) + 1,
        colour=colour_name(asked.to_move, language),
        task=translate(f"quiz.task_{asked.kind}", language),
        **values,
    )


def list_kept(library: Library, language: str = ENGLISH) -> None:
    """Prints the quizzes in the library, those due next first."""
    kept = library.quizzes.all()
    if not kept:
        say(translate("quiz.none", language))
        return
    now = time.time()
    for each in kept:
        (line,) = list_quizzes([Quiz.from_json(each.data)], language)
        if each.game is not None:
            line = translate("quiz.in_game", language, game=library.games.find(each.game).number, quiz=line)
        say(f"{each.number:4}  {pad(_state(each, now, language), 18, is_left=True)}  {line}")
    count = library.quizzes.count(now)
    say(translate("page.quiz_count", language, due=count.due, solved=count.solved, all=count.all))


def _state(kept: StoredQuiz, now: float, language: str) -> str:
    if kept.due is None:
        return translate("quiz.solved", language)
    if kept.due <= now:
        return translate("quiz.due", language)
    return translate("quiz.again", language, time=time.strftime("%m-%d %H:%M", time.localtime(kept.due)))


def ask_kept(library: Library, brain: OpenBrain, nodes: int, language: str = ENGLISH) -> None:
    """Asks the quizzes of the library that are due, and saves the results."""
    now = time.time()
    due = [each for each in library.quizzes.all() if each.due is not None and each.due <= now]
    if not due:
        say(translate("quiz.none_due", language))
        return

    def save(place: int, is_right: bool) -> None:
        with contextlib.suppress(NoQuiz):  # deleted on the page in the meantime
            settle(library, due[place], is_right)

    titled = []
    for each in due:
        quiz = Quiz.from_json(each.data)
        titled.append((_describe_quiz(quiz, "quiz.of_list", language, quiz=each.number), quiz))
    _ask_all(titled, brain, nodes, save, language)


def ask_quizzes(quizzes: Sequence[tuple[int, Quiz]], brain: OpenBrain, nodes: int, language: str = ENGLISH) -> None:
    """Asks the quizzes in order, each with the number of its game."""
    if not quizzes:
        say(translate("quiz.none_found", language))
        return
    titled = [(_describe_quiz(quiz, "quiz.of_game", language, game=game), quiz) for game, quiz in quizzes]
    _ask_all(titled, brain, nodes, lambda place, is_right: None, language)


def _ask_all(
    titled: Sequence[tuple[str, Quiz]],
    brain: OpenBrain,
    nodes: int,
    answered: Callable[[int, bool], None],
    language: str,
) -> None:
    """Asks the quizzes, each with its line, until the user quits. Calls `answered` with the place of each answered
    quiz and whether the answer is right."""
    right = asked = 0
    for place, (title, quiz) in enumerate(titled):
        answer = _ask(title, quiz, brain, nodes, language)
        if answer is None:
            break
        answered(place, answer)
        asked += 1
        right += answer
    say(translate("quiz.right" if asked else "quiz.none_answered", language, right=right, asked=asked))


def _ask(title: str, quiz: Quiz, brain: OpenBrain, nodes: int, language: str) -> bool | None:
    """Asks a quiz: whether the answer is right, False if the user gives up; None for quit or the end of the input."""
    say(title)
    say(draw(quiz.width, quiz.height, quiz.moves))
    board = _board(quiz.width, quiz.height, quiz.rule, quiz.moves)
    cell = read_answer(board, language)
    if cell is None:
        return None
    if cell == SHOW:
        _tell_answer([], quiz, language)
        return False
    right, judgement = is_accepted(quiz, cell), []
    if not right:
        found = attempt(board, cell, brain, nodes)
        right, judgement = is_right(quiz, found.verdict), [describe(found, quiz.height, language)]
    _tell_answer([yes_or_no(right, language), *judgement], quiz, language)
    return right


def yes_or_no(is_right: bool, language: str = ENGLISH) -> str:
    """The word for a right answer or a wrong one."""
    return translate("quiz.yes" if is_right else "quiz.no", language)


def read_answer(board: Board, language: str = ENGLISH) -> Cell | None:
    """Asks for a move until the user enters an empty cell; SHOW if the user gives up, None for quit or the end of the
    input."""
    say(translate("quiz.prompt", language))
    while True:
        typed = sys.stdin.readline()
        word = typed.strip().lower()
        if not typed or word in QUIT:
            return None
        cell = SHOW if word == "show" else read_cell(word, board)
        if cell is not None:
            return cell
        say(translate("quiz.not_empty", language))


def _tell_answer(judgement: Sequence[str], quiz: Quiz, language: str) -> None:
    good = "page.answers_hold" if quiz.kind == "hold" else "page.answers"
    parts = [*judgement, translate(good, language, cells=name_cells(quiz.accepted, quiz.height, language))]
    if quiz.kind != LINE:  # no game has the move
        parts.append(translate("quiz.played", language, cell=format_cell(*quiz.played, quiz.height)))
    say(f"{join_sentences(parts, language)}\n")


def describe(found: MoveJudgement, height: int, language: str = ENGLISH) -> str:
    """A sentence on the judgement of a move."""
    cell = format_cell(*found.cell, height)
    return translate(f"quiz.judged_{found.verdict}", language, cell=cell, loss=round(100 * found.loss))


def try_again(
    width: int, height: int, rule: Rule, cells: Opening, brain: OpenBrain, nodes: int, language: str = ENGLISH
) -> None:
    """Asks for moves in this position and judges each, until one is as good as the best."""
    board = _board(width, height, rule, cells)
    say(draw(width, height, cells))
    say(translate("quiz.try_prompt", language, colour=colour_name(board.side_to_move, language)))
    for line in sys.stdin:
        word = line.strip().lower()
        if word in QUIT:
            return
        cell = read_cell(word, board)
        if cell is None:
            say(translate("quiz.try_not_empty", language))
            continue
        found = attempt(board, cell, brain, nodes)
        say(join_sentences([yes_or_no(found.is_right, language), describe(found, height, language)], language))
        if found.proof is not None:
            say(longest_defence(found.proof.main_line(), height, language))
        if found.is_right:
            return


def longest_defence(cells: Iterable[Cell], height: int, language: str = ENGLISH) -> str:
    """A sentence on the main line of a proof."""
    return translate("review.longest", language, cells=" ".join(format_cell(*cell, height) for cell in cells))


def attempt(board: Board, cell: Cell, brain: OpenBrain, nodes: int) -> MoveJudgement:
    """The judgement of a move on a board of any size and rule. Raises BrainFailure."""
    brain.start(board.width, board.height, board.rule)
    return judge_move(board, cell, brain, nodes)


def _board(width: int, height: int, rule: int, cells: Opening) -> Board:
    board = Board(width, height, Rule(rule))
    for cell in cells:
        board.place(*cell)
    return board
