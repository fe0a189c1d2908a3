"""Read: takes the cells from a submitted file, in any state."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from autograder.core.notebook import NotebookNode, nbformat
from autograder.core.printable import one_line, printable
from autograder.grading import messages

MAX_FILE = 64 * 2**20
"""Bytes of the largest file that is read: figures and videos in outputs make notebooks large."""

MAX_BYTES = 20 * 2**20
"""Characters of the largest notebook, without its outputs; lessons have some 20 KB. What is parsed
takes many times its text's memory."""

MAX_CODE = 128 * 2**10
"""Characters of all code cells together; lessons have some 10 KB. Trusted code parses them, and a
parsed program takes hundreds of times its text's memory."""

MAX_CELLS = 1000


class UnreadableNotebook(Exception):
    """The file is not a notebook; the message is for the student."""


_SKIPPED = ('"outputs"', '"widgets"')
"""Keys whose values Jupyter has saved beside what was written."""
_JSON_PART = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[][{}]', re.DOTALL)
_OPENING = re.compile(r"\s*:\s*[\[{]")


def read_file(path: Path) -> bytes:
    """Return a notebook's file without its outputs, which nobody reads and which fill the memory.

    A file that is larger than `MAX_FILE` is cut off one byte later: `read_cells` refuses it.

    Raises:
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        raw = file.read(MAX_FILE + 1)
    if len(raw) <= MAX_BYTES // 20 or len(raw) > MAX_FILE:
        return raw
    try:
        return without_outputs(_text(raw)).encode()
    except ValueError:
        return raw  # not text: `read_cells` says so


def without_outputs(text: str) -> str:
    """Return a notebook's JSON without outputs and the state of widgets, without parsing these."""
    if not any(key in text for key in _SKIPPED):
        return text
    parts: list[str] = []
    start = depth = skipped = 0
    for found in _JSON_PART.finditer(text):
        token = found[0]
        if token in "[{":
            depth += 1
        elif token in "]}":
            depth -= 1
            if skipped and depth == skipped:
                start, skipped = found.start(), 0
        elif not skipped and token in _SKIPPED:
            opening = _OPENING.match(text, found.end())
            if opening and depth:
                parts.append(text[start : opening.end()])
                skipped = depth
    if skipped:
        return text  # cut off within
    return "".join([*parts, text[start:]])


def read_cells(raw: bytes, name: str) -> list[NotebookNode]:
    """Read the cells of a notebook of any encoding and format version. Outputs do not count.

    Raises:
        UnreadableNotebook: these bytes are not a notebook.
    """

    def refuse(problem: str) -> UnreadableNotebook:
        shown = {"path": one_line(name), "problem": printable(problem)}
        return UnreadableNotebook(messages.UNREADABLE_NOTEBOOK.format(**shown))

    if len(raw) > MAX_FILE:
        shown = {"path": one_line(name), "limit": MAX_FILE // 2**20}
        raise UnreadableNotebook(messages.TOO_LARGE_FILE.format(**shown))
    try:
        text = without_outputs(_text(raw))
        if len(text) > MAX_BYTES:
            sizes = _compare_sizes(len(text), MAX_BYTES, "MB", 2**20)
            raise refuse(f"without its outputs it has {sizes}")
        if not text.strip():
            raise refuse("the file is empty")
        node = json.loads(text)
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
        raise refuse(f"its code cells hold {_compare_sizes(code, MAX_CODE, 'KB', 2**10)}")
    return cells


def _compare_sizes(size: int, limit: int, unit: str, length: int) -> str:
    """Return a size and the limit that it exceeds, which must not look the same."""
    most = limit // length
    return f"{max(round(size / length), most + 1)} {unit}, more than {most} {unit}"


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
