"""The flags of `tengen train`, apart from what trains: help is given, and flags are checked, before torch is loaded."""
from __future__ import annotations

import argparse
from pathlib import Path

from engine.training.rules import add_rule_flag


def read_options(arguments: list[str]) -> argparse.Namespace:
    """What the flags say; `limit` has its default by the base. Ends the process for help and for bad flags."""
    parser = argparse.ArgumentParser(prog="tengen train",
                                     description="Trains a network on the positions of `tengen label`.",
                                     epilog="tengen train --cycle FOLDER makes the positions too, --match HISTORY "
                                            "plays two networks against each other: see their own --help.")
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="of positions, by `tengen label`")
    add_rule_flag(parser, "of the positions and the network", is_required=True)
    parser.add_argument("--output", type=Path, required=True, help="the network's file")
    parser.add_argument("--base", choices=("classical", "none"), default="classical",
                        help="what the network's score is added to (%(default)s)")
    parser.add_argument("--limit", type=int, help="of that score, in centipoints (1000; 6000 with --base none)")
    parser.add_argument("--share", type=float, default=0.15, metavar="0..1",
                        help="of the game's result in a target, half of it for positions beside games (%(default)s)")
    parser.add_argument("--visits", type=float, default=4e6, help="positions looked at in all (%(default)s)")
    parser.add_argument("--batch", type=int, default=512, help="positions a step (%(default)s)")
    parser.add_argument("--rate", type=float, default=0.02, help="the highest learning rate (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other weights to begin with (%(default)s)")
    parser.add_argument("--from", type=Path, dest="start", metavar="FILE",
                        help="begin with the weights of this network, of any rule")
    parser.add_argument("--report", type=Path, metavar="FILE", help="draw losses and calibration, as one HTML page")
    options = parser.parse_args(arguments)
    if options.limit is None:
        options.limit = 1000 if options.base == "classical" else 6000
    if not (0 <= options.share <= 1 and 1 <= options.visits < 1e12 and options.batch >= 1
            and 0 <= options.seed < 1 << 63 and 0 < options.rate <= 1 and 1 <= options.limit <= 6000):
        parser.error("--share is from 0 to 1, --visits and --batch are at least 1, --rate is above 0 and at most 1, "
                     "--limit is from 1 to 6000, --seed from 0 to 2^63 - 1")
    return options
