"""What a change of the process is called: its rule, and the words for it."""

from __future__ import annotations

from autograder.criteria.purity.process.reading import Key

_RULES = {
    "jax.config": "jax-config-changed",
    "environment": "environment-changed",
    "random": "random-state",
    "threads": "thread",
    "jax.monitoring": "probe-tampered",
    "decimal": "context-mutated",
}


def rule_for(key: Key, patched: bool) -> str:
    if patched:
        return "module-patched"
    return _RULES.get(key.group, "interpreter-changed")


def in_words(key: Key, patched: bool) -> str:
    if patched:
        return f"`{key.group}.{key.name}` is replaced"
    match key.group:
        case "jax.config":
            return f"the option `{key.name}` of jax.config is changed"
        case "environment":
            return f"{key.name} of the environment is changed"
        case "random":
            return f"the global random state of `{key.name}` is used"
        case "threads":
            return "a thread is left running"
        case "jax.monitoring":
            return f"listeners of jax.monitoring are changed ({key.name})"
    return f"`{key.group}.{key.name}` is changed"
