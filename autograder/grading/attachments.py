"""Pictures that a student pasted into an answer."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from typing import Any
from urllib.parse import unquote

KINDS = ("image/png", "image/jpeg", "image/gif", "image/webp")
"""What is kept: pictures that cannot hold a script."""

MAX_BYTES = 4 * 2**20
"""Of one picture."""

NOTHING = {
    "image/png": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAC0lEQVR4nGNgAAIAAAUAAXpeqz8A"
    "AAAASUVORK5CYII="
}
"""In place of what is not kept: `nbgrader generate_feedback` fails on a picture that is missing."""


def kept_pictures(attachments: Any, names: Sequence[str]) -> tuple[dict[str, Any], list[str]]:
    """The pictures that a cell shows.

    Args:
        attachments: of the cell, as submitted: by name, data by kind.
        names: of the pictures that it shows, as its renderer looks them up.

    Returns:
        For each name a picture, and the names of those that were not kept.
    """
    found = attachments if isinstance(attachments, dict) else {}
    pictures = {name: _picture(found.get(name) or found.get(unquote(name))) for name in names}
    dropped = [name for name, picture in pictures.items() if picture is None]
    return {name: picture or dict(NOTHING) for name, picture in pictures.items()}, dropped


def _picture(data: Any) -> dict[str, str] | None:
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
