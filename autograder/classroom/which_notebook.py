"""Decides which of the files that a student handed in is the notebook to grade.

Whoever downloads a notebook, saves it again or copies a folder leaves several behind, under names
that a browser, Jupyter or the student chose. What counts is what they hold: a notebook with the
released cells and nothing else is nobody's work. Where two hold different work, a person decides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.grading import messages, readings
from autograder.grading.apart import read_if_possible
from autograder.grading.read import read_file, texts_of
from autograder.grading.repair import graded_cells
from autograder.model.notebook import NotebookNode
from autograder.model.printable import one_line, printable

MAX_NAMES = 5
"""Number of file names in a note."""

MAX_NOTEBOOKS = 20
"""Number of notebooks that are read for one submission."""

CHECKPOINTS = ".ipynb_checkpoints"
"""Jupyter keeps earlier states of notebooks in folders of this name."""

_SUFFIX = ".ipynb"
_HEAD = 64


@dataclass(frozen=True)
class Choice:
    """Which notebook counts.

    Attributes:
        path: of the notebook; None where none can be graded.
        name: of the file as handed in, for messages.
        raw: what `autograder.grading.read.read_file` gives of it; empty where there is none.
        is_untouched: whether it holds the released cells and nothing else.
        in_doubt: names of the files that may be meant instead.
        notes: what was done, a sentence each, for the student.
        review: why a person must decide which file counts; empty where that is certain.
    """

    path: Path | None
    name: str
    raw: bytes = b""
    is_untouched: bool = False
    in_doubt: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    review: tuple[str, ...] = ()


Work = frozenset[tuple[bool, str]]
"""What was written: kind and text of each cell that is not as released."""


@dataclass(frozen=True)
class _Notebook:
    """A file that is, or should be, a notebook; `work` is None where it cannot be read."""

    path: Path
    name: str
    is_empty: bool
    lesson: str
    is_marked: bool
    work: Work | None

    @property
    def is_checkpoint(self) -> bool:
        """Whether Jupyter has made it by itself."""
        return CHECKPOINTS in Path(self.name).parts


def choose_notebook(
    files: Mapping[str, Path], expected: str, lesson: str, released: Sequence[NotebookNode]
) -> Choice:
    """Choose the notebook that is meant.

    Args:
        files: the regular files handed in, by their names relative to where one is expected.
        expected: the name of the file that is asked for.
        lesson: that it is for.
        released: the notebook as students were given it, in each version that is known.

    Returns:
        The choice. Where several notebooks hold different work, the one with the expected name is
        graded until a person decides, and none if no file has this name.
    """
    found = _read_notebooks(files, expected, lesson, released)
    foreign = [n for n in found if n.lesson not in ("", lesson) and n.name != expected]
    strangers = [n for n in found if n not in foreign]
    own = [n for n in strangers if n.is_marked or n.name == expected or n.work is None]
    own = own if any(n.work is not None for n in own) else strangers
    works = _different_works(own)
    broken = [n for n in own if n.work is None and not n.is_empty]
    broken = [n for n in broken if not n.is_checkpoint] or broken
    chosen, in_doubt = _choose(own, works, broken, expected)
    if not works:
        in_doubt += [n for n in strangers if n not in own and n.work]
    review = _doubts(chosen, in_doubt, expected)
    notes = []
    if chosen is not None and chosen.name != expected:
        notes.append(messages.RENAMED.format(found=printable(chosen.name), expected=expected))
    left = [
        f"{one_line(n.name)} ({_why_left(n, works, foreign, own)})"
        for n in found
        if n not in (chosen, *in_doubt) and (n.work or not is_hidden(n.name))
    ]
    if left:
        notes.append(messages.NOT_THE_NOTEBOOK.format(names=join_names(left)))
    return Choice(
        chosen and chosen.path,
        chosen.name if chosen else expected,
        read_file(chosen.path) if chosen else b"",  # again: memory need not hold all of them
        chosen is not None and chosen.work == Work(),
        tuple(n.name for n in in_doubt),
        tuple(notes),
        tuple(review),
    )


def _choose(
    own: list[_Notebook], works: list[_Notebook], broken: list[_Notebook], expected: str
) -> tuple[_Notebook | None, list[_Notebook]]:
    """Return the notebook to grade, and those that may be meant instead."""
    if len(works) > 1:
        chosen = works[0] if works[0].name == expected else None
        return chosen, [n for n in works if n is not chosen]
    if works:
        doubts_itself = works if works[0].is_checkpoint and len(own) > 1 else []
        return works[0], [*broken, *doubts_itself]
    if len(broken) > 1 and broken[0].name != expected:
        return None, broken
    return next(iter([*broken, *own]), None), broken[1:]


def _doubts(chosen: _Notebook | None, in_doubt: list[_Notebook], expected: str) -> list[str]:
    others = join_names([one_line(n.name) for n in in_doubt if n is not chosen])
    if chosen is None and in_doubt:
        return [messages.SEVERAL_NOTEBOOKS.format(expected=expected, found=others)]
    if chosen is None:
        return [messages.NO_NOTEBOOK.format(expected=expected)]
    graded = one_line(chosen.name)
    alone = [messages.ONLY_CHECKPOINT.format(graded=graded)] * (chosen in in_doubt)
    return alone + [messages.WHICH_NOTEBOOK.format(graded=graded, others=others)] * bool(others)


def _different_works(own: Sequence[_Notebook]) -> list[_Notebook]:
    """Return the notebooks that hold work, each work once.

    Jupyter makes checkpoints by itself: they count only where nothing else holds work.
    """
    worked = [n for n in own if n.work]
    written = [n for n in worked if not n.is_checkpoint] or worked
    first: dict[Work | None, _Notebook] = {}
    for one in written:
        first.setdefault(one.work, one)
    return list(first.values())


def _why_left(
    one: _Notebook, works: list[_Notebook], foreign: list[_Notebook], own: list[_Notebook]
) -> str:
    if one in foreign:
        return messages.OF_LESSON.format(lesson=one_line(one.lesson, 40))
    if one.work is None:
        return messages.EMPTY_FILE if one.is_empty else messages.NO_READABLE_NOTEBOOK
    if not one.work:
        return messages.AS_RELEASED
    if one not in own:
        return messages.NOT_OF_LESSON
    is_same = any(one.work == n.work for n in works)
    return messages.SAME_WORK if is_same else messages.CHECKPOINT


def join_names(names: Sequence[str]) -> str:
    """Return file names for a sentence, at most `MAX_NAMES`."""
    shown = [one_line(name) for name in names[:MAX_NAMES]]
    return ", ".join([*shown, "..."] if len(names) > MAX_NAMES else shown)


def is_hidden(name: str) -> bool:
    """Whether a file, or a folder that it is in, is hidden."""
    return any(part.startswith(".") for part in Path(name).parts)


# --- reading ----------------------------------------------------------------------------------


def _read_notebooks(
    files: Mapping[str, Path], expected: str, lesson: str, released: Sequence[NotebookNode]
) -> list[_Notebook]:
    """Read what may be a notebook, the likeliest first."""
    given = Work().union(*(map(tuple, texts_of(r["cells"])) for r in released))
    marks = {name for node in released for name in graded_cells(node)}
    ordered = sorted(
        files, key=lambda n: (n != expected, CHECKPOINTS in Path(n).parts, n.count("/"), n)
    )
    found: list[_Notebook] = []
    for name in ordered:
        if len(found) == MAX_NOTEBOOKS:
            break
        try:
            raw = _read_candidate(files[name])
        except OSError:
            continue
        if raw is None:
            continue
        read = read_if_possible(readings.texts_of, name, raw=raw)
        if read is None:
            found.append(_Notebook(files[name], name, not raw.strip(), "", False, None))
            continue
        of = str(read["lesson"])
        is_marked = of == lesson or (not of and bool(marks & set(read["marks"])))
        work = frozenset((is_code, text) for is_code, text in read["texts"]) - given
        found.append(_Notebook(files[name], name, False, of, is_marked, work))
    return found


def _read_candidate(path: Path) -> bytes | None:
    """Return the bytes of what may be a notebook, by its name or else by what it holds.

    Other tools, and students, add suffixes such as .txt or .json. macOS adds hidden files that have
    a notebook's name and hold something else.
    """
    is_named = path.name.lower().endswith(_SUFFIX) and not path.name.startswith(".")
    with path.open("rb") as file:
        head = file.read(_HEAD)
    is_object = head.lstrip(b"\xef\xbb\xbf\xff\xfe\0 \t\r\n").startswith(b"{")
    if not is_object and not is_named:
        return None
    raw = read_file(path)
    return raw if is_named or (b'"cells"' in raw and b'"nbformat"' in raw) else None
