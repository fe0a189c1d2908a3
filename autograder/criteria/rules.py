"""The rules that a worker's findings may have: any other rule becomes `UNKNOWN`."""

from __future__ import annotations

from autograder.criteria import REGISTRY
from autograder.model.error_table import ERROR_RULES
from autograder.model.messages import PROGRAM_RULES
from autograder.model.observation import REFUSALS

RULES = frozenset(
    {
        *REFUSALS,
        *PROGRAM_RULES,
        *(rule for criterion in REGISTRY for rule in criterion.rules),
        *ERROR_RULES,
        "adapter",
        "behaviour",
        "error",
    }
)
