"""Brains as contained processes; `open_brain` is the way in from Python, see client.py."""

from tournaments.brains.brain import BrainFailure, BrainLimits
from tournaments.brains.client import Answer, AsyncBrain, OpenBrain, open_brain, open_brain_async

__all__ = ["Answer", "AsyncBrain", "BrainFailure", "BrainLimits", "OpenBrain", "open_brain", "open_brain_async"]
