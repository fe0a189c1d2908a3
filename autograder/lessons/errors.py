"""The index of error messages: what JAX says, why, and the lessons that teach the repair.

`errors.toml` beside this file has the entries, and `errors.md` the text around their table.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent


def read_entries() -> list[dict[str, Any]]:
    """Return the entries of `errors.toml`, whose fields are explained there."""
    return tomllib.loads((_HERE / "errors.toml").read_text(encoding="utf-8"))["entries"]


def write_index(notebooks: Mapping[str, str]) -> str:
    """Return the text of `exercises/ERRORS.md`.

    Args:
        notebooks: the file names of the course's lessons, by lesson.
    """
    rows = []
    for entry in sorted(read_entries(), key=lambda entry: (entry["error"], entry["message"])):
        links = [f"[{name}]({notebooks[name]})" for name in entry["lessons"] if name in notebooks]
        message = f"**{entry['error']}**: `{entry['message']}`"
        if "newer" in entry:
            message += f" (a newer JAX says `{entry['newer']}`)"
        rows.append(f"| {message} | {entry['cause']} | {', '.join(links)} |")
    text = (_HERE / "errors.md").read_text(encoding="utf-8")
    return text.replace("{rows}", "\n".join(rows))
