"""Finds what a student wrote in words outside of the cells that are marked for it.

An answer may stand in a new cell, in a cell that lost its marks, or as a comment in code. Nobody
but a person can tell, so this only finds words that the released notebook does not have.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from keyword import kwlist
from typing import Any

from autograder.model.notebook import INSTALL_SOURCE, NotebookNode

SENTENCE = 4
"""Words from which a text in code is taken for a sentence, not for a label."""

# A submission may be hostile: the time that these patterns take is proportional to the text.
_TAG = re.compile(r"<[^<>]*>")
_IMAGE = re.compile(r"attachment:|data:image")
_LETTERS = r"[^\W\d_]+(?:['’-][^\W\d_]+)*"
_NEIGHBOURS = re.compile(rf"(?<![\w.'’-])({_LETTERS})(?= +({_LETTERS})(?![\w.(\[=]))")
_WITHOUT_SPACES = re.compile(r"[\u3040-\u9fff\uac00-\ud7af]{4}")
_COMMENT = r"(?:#[^\n]*(?:\n[ \t]*)?)+"
# What is not closed goes on to its end, so that no text is read twice.
_LONG = "|".join(rf"{q}{{3}}(?:[^{q}\\]|\\.|{q}(?!{q}{q}))*(?:{q}{{3}}|\\?\Z)" for q in "'\"")
_SHORT = "|".join(rf"{q}(?:[^{q}\\\n]|\\.)*(?:{q}|\\?$)" for q in "'\"")
_TEXT = re.compile(f"{_COMMENT}|{_LONG}|{_SHORT}", re.DOTALL | re.MULTILINE)
_KEYWORDS = frozenset(kwlist)
_CODE = re.compile(r"[=()\[\]{}<>@]")


def own_words(notebook: NotebookNode, released: NotebookNode) -> tuple[str, ...]:
    """Return the student's texts outside of the marked cells, in order.

    Args:
        notebook: the submission, fitted to the released version.
        released: the notebook as students were given it.
    """
    given = {INSTALL_SOURCE, *(cell["source"] for cell in released["cells"])}
    known = {text for source in given for text in (*_lines(source), *_code_texts(source))}
    return tuple(
        text
        for cell in notebook["cells"]
        if cell["source"] not in given and not _mark(cell).get("grade")
        for text in _texts(cell)
        if text not in known
    )


def answers_elsewhere(notebook: NotebookNode, released: NotebookNode) -> frozenset[str]:
    """Return the grade ids of the cells for an answer in words that may stand elsewhere.

    These cells are empty or as released, and there are words of the student's in other cells.
    """
    given = {_mark(cell).get("grade_id"): cell["source"].strip() for cell in released["cells"]}
    found = {}
    for cell in notebook["cells"]:
        mark = _mark(cell)
        if mark.get("grade") and mark.get("solution") and cell["cell_type"] == "markdown":
            found[str(mark["grade_id"])] = cell["source"].strip()
    blank = [name for name, text in found.items() if text in ("", given.get(name))]
    return frozenset(blank if blank and own_words(notebook, released) else ())


def _mark(cell: NotebookNode) -> Mapping[str, Any]:
    return cell["metadata"].get("nbgrader") or {}


def _texts(cell: NotebookNode) -> Iterator[str]:
    if cell["cell_type"] == "code":
        yield from _code_texts(cell["source"])
    else:
        yield from filter(_says_something, _lines(cell["source"]))


def _lines(source: str) -> list[str]:
    return [" ".join(line.split()) for line in source.splitlines()]


def _says_something(line: str) -> bool:
    # A badge, such as Colab's, is markup without a word.
    return bool(re.search(r"\w", _TAG.sub("", line)) or _IMAGE.search(line))


def _code_texts(source: str) -> list[str]:
    """Return the comments, strings and lines of a code cell that hold sentences.

    Where nothing but comments stands in it, a word is enough.
    """
    found = [" ".join(text.replace("#", " ").split()) for text in _TEXT.findall(source)]
    rest = _TEXT.sub("\n", source)
    lines = [line for line in _lines(rest) if line[:1] not in ("%", "!")]
    is_code = any(lines)
    return [
        text
        for text in (*found, *lines)
        if _is_sentence(text) or not (is_code or _CODE.search(text) or not re.search(r"\w", text))
    ]


def _is_sentence(text: str) -> bool:
    """Whether a text has words side by side, as Python never has them."""
    if _WITHOUT_SPACES.search(text):
        return True
    pairs = sum(_KEYWORDS.isdisjoint(found.groups()) for found in _NEIGHBOURS.finditer(text))
    return pairs >= 2 and len(re.findall(_LETTERS, text)) >= SENTENCE
