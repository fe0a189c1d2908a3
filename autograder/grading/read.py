"""Read: takes the cells from a submitted file, in any state."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from autograder.grading import messages
from autograder.model.notebook import KIT_METADATA, NotebookNode, nbformat
from autograder.model.printable import one_line, printable

MAX_FILE = 64 * 2**20
"""Bytes of the largest file that is read: figures and videos in outputs make notebooks large."""

MAX_BYTES = 20 * 2**20
"""Characters of the largest notebook, without its outputs; lessons have some 20 KB. What is parsed
takes many times its text's memory."""

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
        raise refuse(f"its code cells hold {_compare_sizes(code, MAX_CODE, 'KB', 2**10)}")
    return cells


def named_lesson(raw: bytes) -> str | None:
    """Return the lesson of the kit that a file's metadata names; None where it names none."""
    lesson = _metadata(raw, KIT_METADATA).get("lesson")
    return lesson if isinstance(lesson, str) else None


def read_python(raw: bytes) -> str:
    """Return the version of the Python that a notebook was saved with; "" if it does not say."""
    info = _metadata(raw, "language_info")
    version = info.get("version")
    found = re.match(r"\d{1,3}\.\d{1,3}", version) if isinstance(version, str) else None
    return found[0] if found and info.get("name") in ("python", "ipython") else ""


def _metadata(raw: bytes, key: str) -> dict[str, Any]:
    """Return a part of a file's metadata; nothing where there is none."""
    try:
        found = json.loads(without_outputs(_text(raw)))["metadata"][key]
    except (ValueError, LookupError, TypeError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def texts_of(cells: Sequence[NotebookNode]) -> list[tuple[bool, str]]:
    """Return kind and text of each cell that holds any; how lines end does not count."""
    pairs = ((c["cell_type"] == "code", str(c["source"])) for c in cells)
    lines = ((is_code, [line.rstrip() for line in text.splitlines()]) for is_code, text in pairs)
    texts = ((is_code, "\n".join(parts).strip("\n")) for is_code, parts in lines)
    return [(is_code, text) for is_code, text in texts if text]


def _compare_sizes(size: int, limit: int, unit: str, length: int) -> str:
    """Return a size and the limit that it exceeds, which must not look the same."""
    most = limit // length
    return f"{max(round(size / length), most + 1)} {unit}, more than {most} {unit}"


def _text(raw: bytes) -> str:
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return raw.decode("utf-16")
    return raw.decode("utf-8-sig")


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
        # As the format has them: others mean nothing to anybody.
        tags = (tag for tag in metadata["tags"] if isinstance(tag, str))
        kept["tags"] = [*dict.fromkeys(tag for tag in tags if tag and "," not in tag)]
    kind = data.get("cell_type") or ("code" if "outputs" in data else "markdown")
    # nbformat's own functions validate what they make, which takes most of the time of a reading.
    cell: dict[str, Any] = {"cell_type": "code" if kind == "code" else "markdown", "source": source}
    cell["id"] = str(data.get("id") or "")  # none before format 4.5; repair gives one
    if kind == "code":
        cell |= {"execution_count": None, "outputs": []}
    else:
        cell["attachments"] = data.get("attachments")  # `keep_images` checks it
    return NotebookNode({**cell, "metadata": nbformat.from_dict(kept)})
