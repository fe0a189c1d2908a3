"""The rules that a worker's findings may have: any other rule becomes `UNKNOWN`."""

from __future__ import annotations

from autograder.criteria import REGISTRY
from autograder.errors.jax_errors import CLOSER, EXPLANATIONS
from autograder.model.messages import PROGRAM_RULES
from autograder.model.observation import REFUSALS

RULES = frozenset(
    {
        *REFUSALS,
        *PROGRAM_RULES,
        *(rule for criterion in REGISTRY for rule in criterion.rules),
        *EXPLANATIONS,
        *CLOSER,
        "adapter",
        "behaviour",
        "error",
    }
)
