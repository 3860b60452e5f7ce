"""`python -m tournaments.cli` is the `tengen` command."""

import sys

from tournaments.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
