"""pack.json, with which a pack for Gradescope names its lesson and the key of its inputs."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from autograder.model.report import SCHEMA

PACK_FILE = "pack.json"
RELEASED_FILE = "released.ipynb"
LESSON_FOLDER = "lesson"
"""The lesson folder of a pack: the script and the rubric of a lesson of one's own."""


@dataclass(frozen=True)
class Pack:
    """A lesson for Gradescope.

    Attributes:
        lesson: its name.
        notebook: what students call the file that they hand in.
        key: that its inputs are drawn with; secret.
        visibility: when students see the tests, in Gradescope's words.
        limits_only: whether to grade where nothing else confines a submission.
    """

    lesson: str
    notebook: str
    key: int
    visibility: str
    limits_only: bool = False

    def to_json(self) -> str:
        return json.dumps({"schema": SCHEMA, **asdict(self)}, indent=1) + "\n"


def read_pack(folder: Path) -> Pack:
    """Read the pack that was unzipped to a folder.

    Raises:
        ValueError: it was made by another version of the kit.
    """
    data = json.loads((folder / PACK_FILE).read_text(encoding="utf-8"))
    if data.pop("schema", None) != SCHEMA:
        raise ValueError(f"{PACK_FILE} has another schema than {SCHEMA}; make the pack again")
    return Pack(**data)
