"""The rules that a worker's findings may have: any other rule becomes `UNKNOWN`."""

from __future__ import annotations

from autograder.core.jax_errors import CLOSER, EXPLANATIONS
from autograder.core.messages import PROGRAM_RULES
from autograder.core.observation import REFUSALS
from autograder.criteria import REGISTRY

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
