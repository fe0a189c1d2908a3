"""Whether this installation is whole: another package may install a module of the same name.

An index has a package `autograder`, with a module and a command of that name. Installed beside the
kit, the later of the two overwrites files of the earlier, and removing one removes files of both.
"""

from __future__ import annotations

import importlib.util
from importlib import metadata
from pathlib import Path

KIT, NAME = "plnkit", "autograder"
_OURS = Path(__file__).resolve().parents[1] / NAME / "__init__.py"
_FIRST_WORDS = b'"""autograder: checks student functions'

OVERWRITTEN = (
    "The kit's module `autograder` was overwritten by another package's, or removed with it."
)
HIDDEN = "`import autograder` finds {found}, which is not the kit's: rename or move it."
RIVALS = "Another package also installs a module or a command `autograder`: {names}."
CURE = (
    "Run: pip uninstall -y {names} && pip install --force-reinstall --no-deps plnkit. Whoever "
    "needs both puts them into two environments."
)


def is_overwritten() -> bool:
    """Return whether the kit's module beside this package is another's; costs one short read."""
    try:
        with _OURS.open("rb") as file:
            return file.read(len(_FIRST_WORDS)) != _FIRST_WORDS
    except FileNotFoundError:
        return _OURS.parent.is_dir()  # plnkit may have been copied alone


def find_rivals() -> list[str]:
    """Return the other packages that install a module or a command `autograder`."""
    found = {*metadata.packages_distributions().get(NAME, ())}
    scripts = metadata.entry_points(group="console_scripts", name=NAME)
    found |= {script.dist.name for script in scripts if script.dist is not None}
    return sorted(found - {KIT})


def find_problem() -> str:
    """Return what is wrong with the name `autograder` here, and what to do; "" if nothing is."""
    rivals = find_rivals()
    parts = [OVERWRITTEN] if is_overwritten() else []
    spec = importlib.util.find_spec(NAME)
    found = None if spec is None or spec.origin is None else Path(spec.origin).resolve()
    if found not in (None, _OURS):
        parts.append(HIDDEN.format(found=found))
    if rivals:
        parts.append(RIVALS.format(names=", ".join(rivals)))
    if rivals or is_overwritten():
        parts.append(CURE.format(names=" ".join(rivals or [NAME])))
    return " ".join(parts)
