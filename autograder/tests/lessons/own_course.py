"""A small course about signals, as an instructor edits what `autograder new-lesson` has made."""

from __future__ import annotations

from pathlib import Path

NAMES = ("scale_signal", "soft_threshold", "count_programs")

SOFT_THRESHOLD = """\
@jax.jit
def soft_threshold(x):
    return jnp.sign(x) * jnp.maximum(jnp.abs(x) - 0.25, 0)
"""

_LESSON = """\
# %% [markdown]
# # Shrink a noisy signal
#
# Small values are noise: `soft_threshold(x)` moves all values a quarter towards zero, and sets the
# smaller ones to zero. It fails.

# %%
from autograder import check

import jax
import jax.numpy as jnp

# %% solution="soft_threshold"
### BEGIN SOLUTION
{solution}
### END SOLUTION
### BEGIN STARTER
# @jax.jit
# def soft_threshold(x):
#     return x - 0.25 if x > 0.25 else 0 * x
### END STARTER

# %% check="soft_threshold"
check("soft_threshold")

# %% [markdown] question="why" points=2
# ### BEGIN SOLUTION
# The branch needs the value of a traced array.
# ### END SOLUTION
# ### BEGIN STARTER
# *Your answer*
# ### END STARTER
"""

_RUBRIC = """\
import numpy as np

from autograder import ProgramExercise, Rubric

SECRET_WORD = "the right answer, which no student may read"


def draws(rng):
    return [(rng.normal(size=n).astype(np.float32),) for n in (6, 6, 9)]


def reference(x):
    shrunken_by_a_quarter = np.abs(x) - 0.25
    return np.sign(x) * np.maximum(shrunken_by_a_quarter, 0)


HINTS = ("a first hint", "a second hint", "a third hint")
rubric = Rubric(
    lesson="soft_threshold",
    exercises=(
        ProgramExercise(
            name="soft_threshold",
            draws=draws,
            reference=reference,
            points={"outputs": 3, "purity": 1, "compilations": 1},
            hints=dict.fromkeys(("outputs", "purity", "compilations"), HINTS),
        ),
    ),
    learned="`jnp.maximum` instead of `if`",
    minutes=10,
)
"""

_SUBMISSIONS = {
    "starter": "# starter: as shipped; exercise: soft_threshold; must fail: outputs; "
    "says: The truth value of an array\n",
    "empty": "# empty: nothing; exercise: soft_threshold; must fail: outputs; "
    "says: There is no function\n",
    "right_sign": f"# right: sign and maximum; exercise: soft_threshold\n{SOFT_THRESHOLD}",
    "right_clip": "# right: what is clipped away; exercise: soft_threshold\n"
    "@jax.jit\ndef soft_threshold(x):\n    return x - jnp.clip(x, -0.25, 0.25)\n",
    "wrong_sign": "# wrong: loses the sign; exercise: soft_threshold; must fail: outputs; "
    "says: values differ\n"
    "@jax.jit\ndef soft_threshold(x):\n    return jnp.maximum(jnp.abs(x) - 0.25, 0)\n",
    "wrong_no_jit": "# wrong: not jitted; exercise: soft_threshold; must fail: compilations; "
    "says: Put the whole function under one jax.jit\n"
    "def soft_threshold(x):\n    return x - jnp.clip(x, -0.25, 0.25)\n",
    "wrong_list": "# wrong: keeps a list; exercise: soft_threshold; must fail: purity; says: seen\n"
    "seen = []\n\n\n@jax.jit\ndef soft_threshold(x):\n    seen.append(x.shape)\n"
    "    return x - jnp.clip(x, -0.25, 0.25)\n",
}


def edit(folder: Path) -> None:
    """Edit two of the three lessons: another task with a written question, and predictions."""
    (folder / "solutions" / "02_soft_threshold.py").write_text(
        _LESSON.format(solution=SOFT_THRESHOLD)
    )
    (folder / "rubrics" / "soft_threshold.py").write_text(_RUBRIC)
    cases = "\n".join(f"# %% {name}\n{text}" for name, text in _SUBMISSIONS.items())
    (folder / "submissions" / "soft_threshold.py").write_text(cases)
    rubric = folder / "rubrics" / "count_programs.py"
    text = rubric.read_text()
    assert "return x / total if total > 0 else x" in text
    rubric.write_text(text.replace('"outputs": 2', '"outputs": 4'))
