"""Read: takes the cells from a submitted file, in any state."""

from __future__ import annotations

import json
from typing import Any

from autograder.core.notebook import KIT_METADATA, NotebookNode, nbformat
from autograder.core.printable import one_line, printable
from autograder.grading import messages

MAX_BYTES = 20 * 2**20
"""Largest notebook that is read; lessons have some 20 KB."""

MAX_CODE = 128 * 2**10
"""Characters of all code cells together; lessons have some 10 KB. Trusted code parses them, and a
parsed program takes hundreds of times its text's memory."""

MAX_CELLS = 1000


class UnreadableNotebook(Exception):
    """The file is not a notebook; the message is for the student."""


def read_cells(raw: bytes, name: str) -> list[NotebookNode]:
    """Read the cells of a notebook of any encoding and format version.

    Raises:
        UnreadableNotebook: these bytes are not a notebook.
    """

    def refuse(problem: str) -> UnreadableNotebook:
        shown = {"path": one_line(name), "problem": printable(problem)}
        return UnreadableNotebook(messages.UNREADABLE_NOTEBOOK.format(**shown))

    if len(raw) > MAX_BYTES:
        raise refuse(f"it has {len(raw) / 2**20:.0f} MB, more than {MAX_BYTES // 2**20} MB")
    if not raw.strip():
        raise refuse("the file is empty")
    try:
        node = json.loads(_text(raw))
    except (ValueError, RecursionError) as error:
        raise refuse(f"it is not JSON ({error})"[:200]) from None
    try:
        if node.get("nbformat", 4) < 4:
            node = nbformat.convert(nbformat.from_dict(node), 4)
        if "worksheets" in node or not isinstance(node["cells"], list):
            raise ValueError("it has no list of cells")
        cells = [_cell(cell) for cell in node["cells"][:MAX_CELLS]]
    except Exception as error:  # malformed parts raise several kinds
        raise refuse(f"{type(error).__name__}: {error}"[:200]) from None
    code = sum(len(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    if code > MAX_CODE:
        raise refuse(f"its code cells hold {code // 2**10} KB, more than {MAX_CODE // 2**10} KB")
    return cells


def named_lesson(raw: bytes) -> str | None:
    """Return the lesson of the kit that a file's metadata names; None where it names none."""
    try:
        lesson = json.loads(_text(raw))["metadata"][KIT_METADATA]["lesson"]
    except (ValueError, KeyError, TypeError):
        return None
    return lesson if isinstance(lesson, str) else None


def _text(raw: bytes) -> str:
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return raw.decode("utf-16")
    return raw.decode("utf-8-sig")


def _cell(data: Any) -> NotebookNode:
    source = data["source"]
    source = "".join(source) if isinstance(source, list) else str(source)
    source = source.encode("utf-8", "replace").decode()  # lone surrogates
    metadata = data.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    kept = {}
    if isinstance(metadata.get("nbgrader"), dict):
        kept["nbgrader"] = metadata["nbgrader"]
    if isinstance(metadata.get("tags"), list):
        kept["tags"] = [str(tag) for tag in metadata["tags"]]
    make = (
        nbformat.v4.new_code_cell if data["cell_type"] == "code" else nbformat.v4.new_markdown_cell
    )
    cell = make(source, metadata=kept)
    cell["id"] = str(data.get("id") or "")  # none before format 4.5; repair gives one
    if cell["cell_type"] == "markdown":
        cell["attachments"] = data.get("attachments")  # `keep_images` checks it
    return cell
