"""What a part of `.ci/gpu` has found so far."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


class Findings:
    """Figures, problems and requirements of a part, and whatever else it keeps.

    Every change is written at once: a part may be ended at any time.

    Attributes:
        path: the file.
        data: its content. `figures` and `problems` are lines of the table, `requirements` what must
            hold, and `rows` has the details.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.data: dict[str, Any] = {"figures": [], "requirements": [], "problems": [], "rows": []}

    def keep(self, **fields: Any) -> None:
        """Set fields."""
        self.data |= fields
        new = self.path.with_suffix(".new")
        new.write_text(json.dumps(self.data, indent=1, default=str) + "\n", encoding="utf-8")
        new.replace(self.path)

    def add(self, field: str, item: Any) -> None:
        """Append an item to a field that is a list."""
        self.keep(**{field: [*self.data[field], item]})

    def require(self, what: str, holds: bool) -> None:
        """Say what must hold, with the figure that was found."""
        self.add("requirements", {"what": what, "holds": bool(holds)})
