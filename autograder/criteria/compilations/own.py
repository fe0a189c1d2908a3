"""Tells which files are a project's own, and which belong to packages that it uses."""

from __future__ import annotations

import functools
import os
import tomllib
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

from autograder.model.student_code import installed_in, is_installed, spell

_TYPED = ("<stdin>", "<python-input-", "<ipython-input-", "<doctest ")
"""Pseudo files of what a person types: Python's and IPython's prompts, and examples in docstrings.
Other ones, such as `<string>`, are made by `exec`: methods of dataclasses, for example."""


class ProjectFiles(frozenset[str]):
    """These files, and those of the project that the file `near` belongs to.

    All files are the project's but those of installed packages. What is installed counts if it is
    the project's own distribution, as in a `tox` or `nox` environment, or the package that `near`
    itself is in.
    """

    near: str

    def __new__(cls, files: Iterable[str] = (), near: str = "") -> ProjectFiles:
        self = super().__new__(cls, files)
        self.near = near
        return self

    def __contains__(self, file: object, /) -> bool:
        name = str(file)
        if super().__contains__(name) or name.startswith(_TYPED):
            return True
        if name.startswith("<"):
            return False
        return not is_installed(name) or spell(name).startswith(own_packages(self.near))


@functools.cache
def own_packages(near: str) -> tuple[str, ...]:
    """Return the start of the path of each installed file that is the project's own.

    Args:
        near: a file of the project; where there is no such file, as for a notebook's cell, the
            current folder counts. The name of the project's distribution is in `pyproject.toml`, in
            the nearest folder above that has one.
    """
    path = spell(near if os.path.isfile(near) else os.getcwd())
    if packages := installed_in(path):
        return (_start(packages + path[len(packages) :].split(os.sep)[0]),)
    for folder in (Path(path), *Path(path).parents):
        try:
            text = (folder / "pyproject.toml").read_text(encoding="utf-8")
        except OSError:
            continue
        try:
            distribution = metadata.distribution(tomllib.loads(text)["project"]["name"])
        except (KeyError, TypeError, ValueError, metadata.PackageNotFoundError):
            break
        modules = [file for file in distribution.files or () if file.suffix == ".py"]
        return tuple({_start(str(distribution.locate_file(file.parts[0]))) for file in modules})
    return ()


def _start(path: str) -> str:
    return spell(path) if path.endswith(".py") else os.path.join(spell(path), "")
