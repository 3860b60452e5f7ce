"""Two puzzles, and workers without processes, for the tests of the commands about puzzles."""

from collections.abc import Callable, Generator, Iterable
from typing import Any, TypeVar

from engine.training.work import Workers, WorkersLost
from tournaments.board.puzzles.puzzle import parse_puzzle

T = TypeVar("T")

LINES = (
    '{"id":"26e7fece","rule":"freestyle","size":[15,15],"moves":"l8i6i8i7h10j6h8j8h9h7h11h12j7","line":"k6h6l6m6k7n4k4g'
    '10f11l3k5k8k3","plies":13,"rating":1220,"solved":[0,1,1,4,4,4,4,4,4,4],"asked":4,"from":"game 16"}',
    '{"id":"3ab31953","rule":"freestyle","size":[15,15],"moves":"l4k7m8k10l6j9l13k8k6i8h7j7","line":"l7m12l11k9k11o10j5'
    'n9i4","plies":9,"rating":1480,"solved":[0,0,0,2,4,4,4,4,4,4],"asked":4,"from":"game 29"}',
)
PUZZLES = tuple(map(parse_puzzle, LINES))
EASY, HARD = PUZZLES


class Here(Workers):
    """Does tasks at once and in this process, and breaks down after `most` of them."""

    def __init__(self, most: int = 1000) -> None:
        super().__init__(1)
        self.most = most

    def in_order(
        self, function: Callable[..., T], tasks: Iterable[tuple[Any, ...]], ahead: int = 1
    ) -> Generator[T, None, None]:
        for task in tasks:
            if self.most == 0:
                raise WorkersLost("broken")
            self.most -= 1
            yield function(*task)
