"""The maintainer's two-sided check: starters fail as intended, right repairs pass, wrong ones fail.

Needs a checkout: lessons, and the submissions under `autograder/tests/submissions`.
"""

from autograder.lessons.verification.show import report

__all__ = ["report"]
