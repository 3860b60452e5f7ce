"""The flags of `tengen train`, in a module without torch: the help and a bad flag need not wait until it is loaded."""

from __future__ import annotations

import argparse
from pathlib import Path

from engine.training.progress import new_parser
from engine.training.rules import add_rule_flag


def read_options(arguments: list[str]) -> argparse.Namespace:
    """The parsed flags; the default of `limit` depends on the base. Ends the process for --help and for bad flags."""
    parser = new_parser(
        "tengen train",
        "Trains a network on the positions that `tengen label` wrote. It needs the package torch and, for --report, "
        "matplotlib. 20 million visits take about 5 minutes; the time left is shown during the run, and the same "
        "command continues a run that was stopped.",
        "tengen train labels --rule freestyle --output my.network",
        "tengen train labels --rule renju --output my.network --visits 2e7",
        note="`tengen train --cycle FOLDER` makes the games and positions too; `tengen train --match HISTORY` lets two "
        "networks play against each other. Each has its own --help.",
    )
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="folders that `tengen label` wrote")
    add_rule_flag(parser, "rule of the positions and the network", is_required=True)
    parser.add_argument("--output", type=Path, required=True, help="file to write the network to")
    parser.add_argument(
        "--base",
        choices=("classical", "none"),
        default="classical",
        help="evaluation to which the network's score is added (default: %(default)s)",
    )
    parser.add_argument(
        "--limit",
        type=int,
        help="largest score of the network, for either side, in centipoints, 1 to 6000 "
        "(default: 1000, with --base none 6000)",
    )
    parser.add_argument(
        "--share",
        type=float,
        default=0.15,
        metavar="0..1",
        help="share of the game's result in what the network is to predict, half of it for positions "
        "from inside searches; the rest is the search's score (default: %(default)s)",
    )
    parser.add_argument(
        "--own-share",
        type=float,
        default=0.6,
        metavar="0..1",
        help="the same for positions that have the score of the game itself, from `tengen label --nodes 0` "
        "(default: %(default)s)",
    )
    parser.add_argument(
        "--visits",
        type=float,
        default=4e6,
        help="number of positions to train on, each time that one is used counted (default: %(default).0f)",
    )
    parser.add_argument("--batch", type=int, default=512, help="positions in a step of training (default: %(default)s)")
    parser.add_argument(
        "--rate", type=float, default=0.02, help="highest learning rate, above 0 and at most 1 (default: %(default)s)"
    )
    parser.add_argument(
        "--seed",
        type=int,
        default=1,
        help="a whole number; each seed gives other weights to begin with (default: %(default)s)",
    )
    parser.add_argument(
        "--from",
        type=Path,
        dest="start",
        metavar="FILE",
        help="begin with the weights of this network, of any rule (default: random weights)",
    )
    parser.add_argument(
        "--report",
        type=Path,
        metavar="FILE",
        help="also write an HTML page with losses and calibration (default: no page)",
    )
    options = parser.parse_args(arguments)
    if options.limit is None:
        options.limit = 1000 if options.base == "classical" else 6000
    if not (
        0 <= options.share <= 1
        and 0 <= options.own_share <= 1
        and 1 <= options.visits < 1e12
        and options.batch >= 1
        and 0 <= options.seed < 1 << 63
        and 0 < options.rate <= 1
        and 1 <= options.limit <= 6000
    ):
        parser.error(
            "--share and --own-share are from 0 to 1, --visits and --batch are at least 1, --rate is above 0 and at "
            "most 1, --limit is from 1 to 6000, --seed from 0 to 2^63 - 1"
        )
    return options
