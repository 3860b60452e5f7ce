"""The server's messages about positions, studies, reviews and quizzes, as types: see answers.py."""

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

CellJson = tuple[int, int]
"""[x, y], counted from the top left."""

ProofJson = list[list[Any]]
"""The steps of a forced win: [x, y, [[x, y, step], ...], step or null, [[x, y], ...]]; see rules/proofs.py."""


class ForbiddenJson(TypedDict):
    """A cell where Black may not play."""

    cell: CellJson
    foul: str


class Hint(TypedDict):
    """The move that the brain recommends."""

    type: Literal["hint"]
    game: str
    cell: CellJson
    score: float | None
    mate: int | None


class LineJson(TypedDict):
    """A line of play: `score` in centipoints or `mate` in plies, for the side to move; `win` its share, 0 to 1."""

    moves: list[CellJson]
    score: float | None
    mate: int | None
    win: float
    depth: int | None


class AnalysisJson(TypedDict):
    """The best lines so far, the best first; `speed` in nodes a second."""

    type: Literal["analysis"]
    lines: list[LineJson]
    nodes: int
    speed: int
    done: bool


class WinJson(TypedDict):
    """A forced win of one colour."""

    colour: int
    kind: Literal["fours", "threes"]
    moves: list[CellJson]


class Threats(TypedDict):
    """The forced wins of both sides."""

    type: Literal["threats"]
    wins: list[WinJson]


class Balance(TypedDict):
    """The stones after which a position is nearest to even, with the score and the share of the side that places the
    last of them."""

    type: Literal["balance"]
    cells: list[CellJson]
    score: float
    win: float


class FoulAt(TypedDict):
    """The first foul among the moves of a position."""

    ply: int
    foul: str


class Fouls(TypedDict):
    """The cells where Black may not play, and the first foul that was played."""

    type: Literal["fouls"]
    forbidden: list[ForbiddenJson]
    played: FoulAt | None


LabelJson = tuple[CellJson, str]


class StudyNodeJson(TypedDict):
    """A stone of a study, after the node with the number `parent`; -1 is the position from which it begins."""

    cell: CellJson
    parent: int
    comment: NotRequired[str]
    labels: NotRequired[list[LabelJson]]


class StudyJson(TypedDict):
    """A position with its variations."""

    width: int
    height: int
    rule: int
    title: str
    start: list[CellJson]
    comment: NotRequired[str]
    labels: NotRequired[list[LabelJson]]
    tree: list[StudyNodeJson]


class ImportedGame(TypedDict):
    """A game that was read: its moves, and the content of a study if the game has more than moves."""

    title: str
    width: int
    height: int
    rule: int
    moves: list[CellJson]
    start: NotRequired[list[CellJson]]
    comment: NotRequired[str]
    labels: NotRequired[list[LabelJson]]
    tree: NotRequired[list[StudyNodeJson]]


class Imported(TypedDict):
    """The games of a text."""

    type: Literal["imported"]
    games: list[ImportedGame]


class Exported(TypedDict):
    """A game as text, and a name for its file."""

    type: Literal["exported"]
    text: str
    name: str


class Reviewing(TypedDict):
    """The progress of the review that was asked for by `request`."""

    type: Literal["reviewing"]
    request: int | str | None
    done: int
    of: int


class ReviewedMove(TypedDict):
    """One move of a game, judged: see `Reviewed` in board/review/game_review.py."""

    ply: int
    colour: int
    cell: CellJson
    best: CellJson
    score: float | None
    mate: int | None
    before: float | None
    after: float | None
    loss: float
    label: str
    missed: str
    lost: str
    win: ProofJson | None
    refutation: ProofJson | None
    accepted: list[CellJson]


class ReviewJson(TypedDict):
    """A game with every move after its opening judged."""

    width: int
    height: int
    rule: int
    cells: list[CellJson]
    black: str
    white: str
    result: str
    brain: str
    nodes: int
    proves: bool
    moves: list[ReviewedMove]


class ReviewQuiz(TypedDict):
    """A mistake of the review as a question."""

    width: int
    height: int
    rule: int
    moves: list[CellJson]
    to_move: int
    kind: str
    accepted: list[CellJson]
    played: CellJson
    proof: ProofJson | None


class ReviewAnswer(TypedDict):
    """The coach's review of a game; `kept` are the plies whose quizzes were kept automatically.

    own: the colour of the one person in the game, null for none or two; made: when, in seconds since 1970.
    """

    type: Literal["review"]
    review: ReviewJson
    quizzes: list[ReviewQuiz]
    kept: list[int]
    own: int | None
    made: float


class NoReview(TypedDict):
    """The library has no review of these moves."""

    type: Literal["no_review"]


class ProofAnswer(TypedDict):
    """The forced win of the side to move, null if none was found."""

    type: Literal["proof"]
    proof: ProofJson | None
    plies: NotRequired[int]
    fours: NotRequired[bool]
    loss: NotRequired[bool]
    line: NotRequired[list[CellJson]]


class Judged(TypedDict):
    """The judgement of a move: see `MoveJudgement` in board/review/move_judgement.py."""

    type: Literal["attempt"]
    cell: CellJson
    verdict: str
    before: float | None
    after: float | None
    loss: float
    right: bool
    proof: ProofJson | None
    reply: CellJson | None


class QuizLine(TypedDict):
    """A quiz without its answer; `due` and `created` are seconds since 1970."""

    quiz: int
    game: str | None
    created: float
    due: float | None
    asked: int
    missed: int
    width: int
    height: int
    rule: int
    moves: list[CellJson]
    to_move: int
    kind: str


class QuizKept(TypedDict):
    """The quiz after `ply` stones of the last review is kept."""

    type: Literal["quiz_kept"]
    ply: int
    quiz: int


class QuizCounts(TypedDict):
    """How many quizzes there are, how many of them are due, and how many are solved."""

    all: int
    due: int
    solved: int


class Quizzes(TypedDict):
    """The quizzes that are kept, those first that are due next; `unlisted` counts those that are not among them."""

    type: Literal["quizzes"]
    quizzes: list[QuizLine]
    unlisted: QuizCounts
    now: float


class QuizJudged(TypedDict):
    """The judgement of an answer to a quiz; the solution comes with a right answer, or when the quiz was given up."""

    type: Literal["quiz_judged"]
    quiz: QuizLine
    cell: CellJson | None
    right: bool
    verdict: str
    before: NotRequired[float | None]
    after: NotRequired[float | None]
    loss: float
    proof: ProofJson | None
    now: float
    reply: NotRequired[CellJson | None]
    accepted: NotRequired[list[CellJson]]
    played: NotRequired[CellJson]
    solution: NotRequired[ProofJson | None]


class PuzzleJson(TypedDict):
    """A puzzle without its answer: the side to move has one move that begins a forced win."""

    puzzle: str
    width: int
    height: int
    rule: int
    moves: list[CellJson]
    to_move: int
    rating: int


class PuzzleStanding(TypedDict):
    """The owner as a solver: the rating, which is surely within twice the deviation; and of the puzzles of the rule,
    how many there are, how many are answered, and how many solved."""

    rating: int
    deviation: int
    solved: int
    answered: int
    of: int


class PuzzleAsked(TypedDict):
    """A puzzle, null if none is left; `day` is the one that was asked for. Only the first answer changes the rating."""

    type: Literal["puzzle"]
    asked: PuzzleJson | None
    day: str | None
    is_answered: bool
    is_solved: bool
    standing: PuzzleStanding


class PuzzleJudged(TypedDict):
    """The judgement of an answer, null if the puzzle was given up; `proof` shows what the answer loses or wins.

    answer, line: the right move, and the win against the longest defence. change: of the rating, null if the puzzle had
    been answered before.
    """

    type: Literal["puzzle_judged"]
    puzzle: str
    cell: CellJson | None
    right: bool
    verdict: str
    loss: float
    proof: ProofJson | None
    answer: CellJson
    plies: int
    line: list[CellJson]
    change: int | None
    standing: PuzzleStanding


class Kept(TypedDict):
    """A study was written; `undo` is how many changes can be taken back."""

    type: Literal["kept"]
    study: str
    version: int
    undo: int


class Outdated(TypedDict):
    """Another version of the study has been written since, or it was deleted."""

    type: Literal["outdated"]
    study: str


class StudyAnswer(TypedDict):
    """A study that is kept."""

    type: Literal["study"]
    study: str
    version: int
    content: StudyJson
    undo: int


class StudyLine(TypedDict):
    """A line of the list of studies; `moves` is the number of its stones."""

    study: str
    title: str
    width: int
    height: int
    rule: int
    moves: int
    created: float
    updated: float


class Studies(TypedDict):
    """The studies that are kept."""

    type: Literal["studies"]
    studies: list[StudyLine]
