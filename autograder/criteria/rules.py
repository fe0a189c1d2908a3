"""The rules that a worker's findings may have: any other rule becomes `UNKNOWN`."""

from __future__ import annotations

from autograder.criteria import find_rules
from autograder.model.error_table import ERROR_RULES
from autograder.model.messages import PROGRAM_RULES
from autograder.model.observation import REFUSALS
from autograder.model.report import CRITERIA

RULES = frozenset(
    {
        *REFUSALS,
        *PROGRAM_RULES,
        *(rule for criterion in CRITERIA for rule in find_rules(criterion)),
        *ERROR_RULES,
        "adapter",
        "behaviour",
        "error",
    }
)
