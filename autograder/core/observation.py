"""What a worker says about one exercise, and how it crosses between processes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from autograder.core.figures import Timeline, read_figure
from autograder.core.finding import Finding
from autograder.core.printable import clean
from autograder.core.program import Program
from autograder.core.report import CRITERIA, KIT_ERROR
from autograder.core.wire import FrameError, array_from_blob, array_to_blob

UNKNOWN = "unknown"
"""In place of a word that is not among the known ones."""

REFUSALS = frozenset(
    {
        KIT_ERROR,
        "missing-function",
        "not-callable",
        "not-answers",
        "wrong-signature",
        "adapter-failed",
        "cell-failed",
    }
)
"""Why an exercise could not be observed."""

MAX_FINDINGS = 30
MAX_ANSWERS = 100
MAX_PARTS = 1_000
"""Calls, and leaves of a result."""
MAX_NAME = 200


@dataclass(frozen=True)
class Returned:
    """What one concrete call returned: the path of each leaf, and the leaves."""

    names: tuple[str, ...]
    leaves: tuple[np.ndarray, ...]


@dataclass(frozen=True)
class Location:
    """Where the student's function is defined: blamed when no line of it is to blame."""

    line: int
    code: str


@dataclass(frozen=True)
class Observation:
    """What was seen of one exercise in the student's process.

    Attributes:
        refused: why nothing could be observed, as (reason, finding); None when all went well.
        programs: one exported program a call, None where the export failed.
        failures: for each call, why there is no program.
        echo: the same programs exported in a second process; empty where there was none.
        public: results of the public calls, run concretely, to hold against the program's.
        observed: findings by criterion (purity, compilations; outputs where behaviour is judged).
        location: where the student's function is defined, if that can be told.
        answers: what the student predicted, as JSON literals.
        timeline: what each of the public calls compiled; shown, and counted nowhere.
    """

    refused: tuple[str, Finding] | None = None
    programs: tuple[Program | None, ...] = ()
    failures: tuple[Finding | None, ...] = ()
    echo: tuple[Program | None, ...] = ()
    public: tuple[Returned | None, ...] = ()
    observed: Mapping[str, tuple[Finding, ...]] = field(default_factory=dict)
    location: Location | None = None
    answers: Mapping[str, Any] = field(default_factory=dict)
    timeline: Timeline | None = None

    def distrusted(self, finding: Finding) -> Observation:
        """This observation with a finding against everything that is only observed."""
        observed = {name: (finding, *found) for name, found in self.observed.items()}
        return replace(self, observed=observed)

    def echoed_by(self, other: Observation) -> Observation:
        """This observation with another process's programs as its echo."""
        return replace(self, echo=other.programs)


class Blobs:
    """The blobs of a frame under way; equal bytes are sent once."""

    def __init__(self) -> None:
        self.list: list[bytes] = []
        self._places: dict[bytes, int] = {}

    def put(self, blob: bytes) -> int:
        if blob not in self._places:
            self._places[blob] = len(self.list)
            self.list.append(blob)
        return self._places[blob]


def encode(observation: Observation, blobs: Blobs) -> dict[str, Any]:
    """The observation as JSON; its bytes go to `blobs`."""

    def names(paths: Sequence[str]) -> list[str]:
        return [path[:MAX_NAME] for path in paths]

    def program(made: Program | None) -> dict[str, Any] | None:
        return made and {"names": names(made.names), "blob": blobs.put(made.blob)}

    def leaf(array: np.ndarray) -> dict[str, Any]:
        meta, blob = array_to_blob(array)
        return {**meta, "blob": blobs.put(blob)}

    refused = observation.refused
    return {
        "refused": refused and [refused[0], refused[1].to_json()],
        "programs": [program(p) for p in observation.programs],
        "failures": [f and f.to_json() for f in observation.failures],
        "echo": [program(p) for p in observation.echo],
        "public": [
            None if r is None else {"names": names(r.names), "leaves": [leaf(x) for x in r.leaves]}
            for r in observation.public
        ],
        "observed": {
            name: [f.to_json() for f in sorted(found, key=_weight)[:MAX_FINDINGS]]
            for name, found in observation.observed.items()
        },
        "location": observation.location and [observation.location.line, observation.location.code],
        "answers": dict(observation.answers),
        "timeline": observation.timeline and observation.timeline.to_json(),
    }


def _weight(finding: Finding) -> bool:
    """What is left out first, where there is too much: warnings."""
    return finding.severity != "error"


def _place(data: Any) -> Location | None:
    if data is None:
        return None
    # A finding's own limits on what it shows.
    shown = Finding.from_json({"line": data[0], "code": data[1]})
    return Location(shown.line, shown.code) if shown.line else None


def _timeline(data: Any) -> Timeline | None:
    figure = read_figure(data)
    return figure if isinstance(figure, Timeline) else None


def literal(value: Any) -> Any:
    """An answer as far as it is a JSON literal of reasonable size; else None."""
    if isinstance(value, (list, tuple)) and len(value) <= MAX_ANSWERS:
        return [literal(v) for v in value if not isinstance(v, (list, tuple))]
    if isinstance(value, str):
        return clean(value, 200)
    return value if type(value) in (bool, int, float) else None


def _answers(data: Any) -> dict[str, Any]:
    return {clean(k, 80): literal(v) for k, v in list(data.items())[:MAX_ANSWERS]}


def known(word: object, words: Collection[str]) -> str:
    """The word, if it is one of these."""
    return word if isinstance(word, str) and word in words else UNKNOWN


def decode(entry: Mapping[str, Any], blobs: Sequence[bytes], rules: Collection[str]) -> Observation:
    """Rebuild an observation from what an untrusted process sent.

    Args:
        entry: what it says of one exercise.
        blobs: of the same frame.
        rules: that a finding may have (`autograder.criteria.rules`); others become `UNKNOWN`.

    Raises:
        FrameError: malformed in any way.
    """

    def finding(data: Any) -> Finding:
        return replace(Finding.from_json(data), rule=known(data.get("rule"), rules))

    def failure(data: Any) -> Finding | None:
        # A call without a program is an error, whatever the worker calls it.
        return None if data is None else replace(finding(data), severity="error")

    def parts(data: Any) -> list[Any]:
        if not isinstance(data, list) or len(data) > MAX_PARTS:
            raise ValueError("too many parts")
        return data

    def blob(location: Any) -> bytes:
        if type(location) is not int or not 0 <= location < len(blobs):
            raise ValueError(f"no blob {location!r}")
        return blobs[location]

    def program(data: Any) -> Program | None:
        if data is None:
            return None
        return Program(blob(data["blob"]), tuple(clean(n, MAX_NAME) for n in parts(data["names"])))

    def returned(data: Any) -> Returned | None:
        if data is None:
            return None
        leaves = tuple(array_from_blob(x, blob(x["blob"])) for x in parts(data["leaves"]))
        return Returned(tuple(clean(n, MAX_NAME) for n in parts(data["names"])), leaves)

    try:
        refused = entry["refused"]
        if refused is not None:
            return Observation(refused=(known(refused[0], REFUSALS), finding(refused[1])))
        return Observation(
            programs=tuple(program(p) for p in parts(entry["programs"])),
            failures=tuple(map(failure, parts(entry["failures"]))),
            echo=tuple(program(p) for p in parts(entry["echo"])),
            public=tuple(map(returned, parts(entry["public"]))),
            observed={
                str(name): tuple(map(finding, found[:MAX_FINDINGS]))
                for name, found in entry["observed"].items()
                if name in CRITERIA
            },
            location=_place(entry["location"]),
            answers=_answers(entry["answers"]),
            timeline=_timeline(entry.get("timeline")),
        )
    except Exception as error:  # whatever strange parts lead to
        raise FrameError(f"malformed observation: {error!r}") from None
