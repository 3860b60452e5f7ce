"""Brains as contained processes; `open_brain` starts one from Python, see client.py."""

from tournaments.brains.answer import Answer
from tournaments.brains.brain import BrainFailure
from tournaments.brains.client import AsyncBrain, OpenBrain, open_brain, open_brain_async
from tournaments.brains.limits import BrainLimits
from tournaments.brains.process import CannotStart

__all__ = [
    "Answer",
    "AsyncBrain",
    "BrainFailure",
    "BrainLimits",
    "CannotStart",
    "OpenBrain",
    "open_brain",
    "open_brain_async",
]
