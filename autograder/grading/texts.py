"""Makes a submission's Markdown cells harmless, and leaves the released version's as they are."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any

from autograder.core.notebook import NotebookNode, nbformat
from autograder.core.printable import one_line, printable
from autograder.grading import messages
from autograder.grading.attachments import MAX_BYTES, keep_images
from autograder.grading.harmless import as_typed, harmless

MAX_TEXTS = 30_000
"""Characters of a student's Markdown that are rendered; the rest is shown as typed."""


def make_texts_harmless(cells: Iterable[NotebookNode], released: NotebookNode) -> list[str]:
    """Make the student's texts harmless.

    Args:
        cells: of a submission; those with Markdown are changed in place.
        released: the notebook as students were given it.

    Returns:
        What was changed, for the student.
    """
    given = {
        cell["source"]: cell.get("attachments")
        for cell in released["cells"]
        if cell["cell_type"] != "code"
    }
    notes: list[str] = []
    left = MAX_TEXTS
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
        *(left_out.format(name=one_line(d, 60), mib=MAX_BYTES // 2**20) for d in dropped),
    ]
