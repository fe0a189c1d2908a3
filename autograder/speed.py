"""`python -m autograder.speed BUNDLE`: time the programs of a class on this machine's GPU."""

from __future__ import annotations

import sys

from autograder.criteria.speed.command import main

if __name__ == "__main__":
    sys.exit(main())
