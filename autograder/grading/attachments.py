"""Images that a student pasted into an answer."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from typing import Any
from urllib.parse import unquote

KINDS = ("image/png", "image/jpeg", "image/gif", "image/webp")
"""What is kept: images that cannot hold a script."""

MAX_BYTES = 4 * 2**20
"""Of one image."""

NOTHING = {
    "image/png": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAC0lEQVR4nGNgAAIAAAUAAXpeqz8A"
    "AAAASUVORK5CYII="
}
"""In place of what is not kept: `nbgrader generate_feedback` fails on an image that is missing."""


def keep_images(attachments: Any, names: Sequence[str]) -> tuple[dict[str, Any], list[str]]:
    """The images that a cell shows.

    Args:
        attachments: of the cell, as submitted: by name, data by kind.
        names: of the images that it shows, as its renderer looks them up.

    Returns:
        For each name an image, and the names of those that were not kept.
    """
    found = attachments if isinstance(attachments, dict) else {}
    images = {name: _image(found.get(name) or found.get(unquote(name))) for name in names}
    dropped = [name for name, image in images.items() if image is None]
    return {name: image or dict(NOTHING) for name, image in images.items()}, dropped


def _image(data: Any) -> dict[str, str] | None:
    for kind in KINDS if isinstance(data, dict) else ():
        text = data.get(kind)
        text = "".join(map(str, text)) if isinstance(text, list) else text
        if not isinstance(text, str) or len(text) > 2 * MAX_BYTES:
            continue
        try:
            raw = base64.b64decode("".join(text.split()), validate=True)
        except (binascii.Error, ValueError):
            continue
        if 0 < len(raw) <= MAX_BYTES:
            return {kind: base64.b64encode(raw).decode()}
    return None
