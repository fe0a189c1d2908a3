"""Images that a student pasted into an answer."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from typing import Any
from urllib.parse import unquote

KINDS = ("image/png", "image/jpeg", "image/gif", "image/webp")
"""The kinds that are kept: they cannot hold a script."""

MAX_BYTES = 4 * 2**20
"""Largest size of one image."""

NOTHING = {
    "image/png": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAC0lEQVR4nGNgAAIAAAUAAXpeqz8A"
    "AAAASUVORK5CYII="
}
"""Replaces an image that is not kept: `nbgrader generate_feedback` fails where one is missing."""


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
        if not isinstance(text, str) or len(text) > 2 * MAX_BYTES:
            continue
        try:
            raw = base64.b64decode("".join(text.split()), validate=True)
        except (binascii.Error, ValueError):
            continue
        if 0 < len(raw) <= MAX_BYTES:
            return {kind: base64.b64encode(raw).decode()}
    return None
