"""The package's own positions: a shard of the openings that `tengen book build` has looked at longest."""

from __future__ import annotations

import os

SHIPPED = os.path.join(os.path.dirname(__file__), "openings.shard")
"""The path of the shard. A package that was made without the file plays without it."""
