"""An environment in which only what `pip install plnkit` brings can be imported."""

from __future__ import annotations

import os
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

HIDE = '''"""Hides what only an extra installs, in this process and in those that it starts."""
import sys
from importlib.machinery import PathFinder
from importlib.metadata import MetadataPathFinder

MODULES, PACKAGES = frozenset({modules!r}), frozenset({packages!r})


class Core(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name.partition(".")[0] in MODULES:
            return None
        return super().find_spec(name, path, target)

    @classmethod
    def find_distributions(cls, *context):
        found = MetadataPathFinder.find_distributions(*context)
        return (one for one in found if one.name not in PACKAGES)


sys.meta_path[sys.meta_path.index(PathFinder)] = Core
'''


def core_packages(extra: str = "") -> set[str]:
    """Return the names of what `pip install plnkit`, or an extra, installs, directly or not."""
    found: set[tuple[str, ...]] = set()
    waiting = [Requirement(f"plnkit[{extra}]" if extra else "plnkit")]
    while waiting:
        one = waiting.pop()
        for needed in map(Requirement, _requirements(one.name)):
            marker, seen = needed.marker, (canonicalize_name(needed.name), *sorted(needed.extras))
            if seen in found:
                continue
            if marker is None or any(marker.evaluate({"extra": e}) for e in ("", *one.extras)):
                found.add(seen)
                waiting.append(needed)
    return {name for name, *_ in found}


def _requirements(name: str) -> list[str]:
    """Return what a package requires; nothing where an extra that is not installed brings it."""
    try:
        return metadata.requires(name) or []
    except metadata.PackageNotFoundError:
        return []


def hide_extras(folder: Path) -> dict[str, str]:
    """Return the environment of processes that cannot import what only an extra installs."""
    core = core_packages() | {"plnkit", "pip", "pytest-xdist", "execnet"}
    found = metadata.packages_distributions()
    modules = {m for m, packages in found.items() if not {*map(canonicalize_name, packages)} & core}
    packages = {one.name for one in metadata.distributions()}
    packages = {name for name in packages if canonicalize_name(name) not in core}
    text = HIDE.format(modules=sorted(modules), packages=sorted(packages))
    (folder / "sitecustomize.py").write_text(text)
    path = os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")]))
    return {**os.environ, "PYTHONPATH": path}
