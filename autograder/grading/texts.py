"""Makes a submission's Markdown and pasted images harmless; released texts stay as they are."""

from __future__ import annotations

import base64
import binascii
import copy
from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import unquote

from autograder.grading import messages
from autograder.grading.harmless import as_typed, harmless
from autograder.model.notebook import NotebookNode, nbformat
from autograder.model.printable import one_line, printable

KINDS = ("image/png", "image/jpeg", "image/gif", "image/webp")
"""The kinds that are kept: they cannot hold a script."""

MAX_IMAGE_BYTES = 4 * 2**20
"""Largest size of one image."""

NOTHING = {
    "image/png": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAC0lEQVR4nGNgAAIAAAUAAXpeqz8A"
    "AAAASUVORK5CYII="
}
"""Replaces an image that is not kept: `nbgrader generate_feedback` fails where one is missing."""

MAX_TEXTS = 30_000
"""Characters of a student's Markdown that are rendered; the rest is shown as typed."""


def make_texts_harmless(
    cells: Iterable[NotebookNode], released: NotebookNode, *, rendered: bool = True
) -> list[str]:
    """Make the student's texts harmless.

    Args:
        cells: of a submission; those with Markdown are changed in place.
        released: the notebook as students were given it.
        rendered: whether the texts may be rendered; otherwise they are shown as typed.

    Returns:
        What was changed, for the student.
    """
    given = {
        cell["source"]: cell.get("attachments")
        for cell in released["cells"]
        if cell["cell_type"] != "code"
    }
    notes: list[str] = []
    left = MAX_TEXTS if rendered else 0
    for cell in cells:
        if cell["cell_type"] != "markdown":
            continue
        source, attachments = cell["source"], cell.pop("attachments", None)
        if source in given:
            if given[source]:
                cell["attachments"] = copy.deepcopy(given[source])
            continue
        left -= len(source)
        notes += _make_harmless(cell, attachments, render=left >= 0)
    return notes


def _make_harmless(cell: NotebookNode, attachments: Any, *, render: bool) -> list[str]:
    source = cell["source"]
    text = harmless(source) if render else as_typed(printable(source))
    images, dropped = keep_images(attachments, text.images)
    cell["source"] = text.text
    if images:
        cell["attachments"] = nbformat.from_dict(images)
    left_out = messages.IMAGE_LEFT_OUT
    return [
        *([messages.SHOWN_AS_TYPED] if text.is_changed else []),
        *(left_out.format(name=one_line(d, 60), mib=MAX_IMAGE_BYTES // 2**20) for d in dropped),
    ]


def keep_images(attachments: Any, names: Sequence[str]) -> tuple[dict[str, Any], list[str]]:
    """Return the images that a cell shows.

    Args:
        attachments: the cell's, as submitted: for each name, the data of each kind.
        names: of the images that the cell shows, as its renderer looks them up.

    Returns:
        An image for each name, and the names of the images that were not kept.
    """
    found = attachments if isinstance(attachments, dict) else {}
    images = {name: _image(found.get(name) or found.get(unquote(name))) for name in names}
    dropped = [name for name, image in images.items() if image is None]
    return {name: image or dict(NOTHING) for name, image in images.items()}, dropped


def _image(data: Any) -> dict[str, str] | None:
    for kind in KINDS if isinstance(data, dict) else ():
        text = data.get(kind)
        text = "".join(map(str, text)) if isinstance(text, list) else text
        if not isinstance(text, str) or len(text) > 2 * MAX_IMAGE_BYTES:
            continue
        try:
            raw = base64.b64decode("".join(text.split()), validate=True)
        except (binascii.Error, ValueError):
            continue
        if 0 < len(raw) <= MAX_IMAGE_BYTES:
            return {kind: base64.b64encode(raw).decode()}
    return None
