"""Read: takes the cells from a submitted file, in any state."""

from __future__ import annotations

import json
import re
from typing import Any

from autograder.core.notebook import KIT_METADATA, NotebookNode, nbformat
from autograder.core.printable import one_line, printable
from autograder.grading import messages

MAX_BYTES = 20 * 2**20
"""Largest notebook that is read; lessons have some 20 KB."""

MAX_CODE = 128 * 2**10
"""Characters of all code cells together; lessons have some 10 KB. Trusted code parses them, and a
parsed program takes hundreds of times its text's memory."""

MAX_CELLS = 10_000
"""Cells of a notebook; lessons have some 40."""

_KINDS = {
    dict: "an object",
    list: "a list",
    str: "a text",
    bool: "true or false",
    int: "a number",
    float: "a number",
    type(None): "null",
}
"""JSON's kinds of values, in its own words."""


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
    except RecursionError:
        raise refuse("it is not JSON of a notebook: it is nested too deeply") from None
    except ValueError as error:
        raise refuse(f"it is not JSON ({error})"[:200]) from None
    if not isinstance(node, dict):
        raise refuse(f"it is not a notebook but {_KINDS[type(node)]}")
    written = _convert(node) if _format_of(node) < 4 else node
    found = None if written is None or "worksheets" in written else written.get("cells")
    if not isinstance(found, list):
        old = "it is in an old format, and cannot be converted to today's"
        raise refuse("it has no list of cells" if written is not None else old)
    if len(found) > MAX_CELLS:
        raise refuse(f"it has {len(found)} cells, more than {MAX_CELLS}")
    for number, cell in enumerate(found, 1):
        if not isinstance(cell, dict):
            raise refuse(f"cell {number} of it is not a cell but {_KINDS[type(cell)]}")
    cells = [_cell(cell) for cell in found]
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


def read_python(raw: bytes) -> str:
    """Return the version of the Python that a notebook was saved with; "" if it does not say.

    Args:
        raw: a notebook that `read_cells` has read.
    """
    try:
        info = json.loads(_text(raw))["metadata"]["language_info"]
        found = re.match(r"\d{1,3}\.\d{1,3}", info["version"])
    except (ValueError, LookupError, TypeError, RecursionError):
        return ""
    return found[0] if found and info.get("name") in ("python", "ipython") else ""


def _format_of(node: dict[str, Any]) -> int:
    """Return the version of the format, also where it is written as a text."""
    found = re.match(r"\d{1,3}", str(node.get("nbformat", 4)))
    return int(found[0]) if found else 4


def _convert(node: dict[str, Any]) -> dict[str, Any] | None:
    """Return a notebook of an older format in today's; None if it cannot be converted."""
    try:
        return nbformat.convert(nbformat.from_dict({**node, "nbformat": _format_of(node)}), 4)
    except Exception:  # malformed parts raise several kinds
        return None


def _cell(data: dict[str, Any]) -> NotebookNode:
    source = data.get("source")
    source = "".join(map(str, source)) if isinstance(source, list) else str(source or "")
    source = source.encode("utf-8", "replace").decode()  # lone surrogates
    metadata = data.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    kept = {}
    if isinstance(metadata.get("nbgrader"), dict):
        kept["nbgrader"] = metadata["nbgrader"]
    if isinstance(metadata.get("tags"), list):
        kept["tags"] = [str(tag) for tag in metadata["tags"]]
    kind = data.get("cell_type") or ("code" if "outputs" in data else "markdown")
    make = nbformat.v4.new_code_cell if kind == "code" else nbformat.v4.new_markdown_cell
    cell = make(source, metadata=kept)
    cell["id"] = str(data.get("id") or "")  # none before format 4.5; repair gives one
    if cell["cell_type"] == "markdown":
        cell["attachments"] = data.get("attachments")  # `keep_images` checks it
    return cell
