"""What a worker reports about one exercise, and how it is sent between processes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from autograder.model.answers import answer_from_json, answer_to_json
from autograder.model.figures import Timeline, read_figure
from autograder.model.finding import Finding
from autograder.model.printable import clean
from autograder.model.program import MAX_BYTES, Program, ProgramError
from autograder.model.questions import Questions, read_questions
from autograder.model.reasons import REASONS, UNKNOWN
from autograder.model.report import CRITERIA, EVIDENCE
from autograder.model.wire import array_from_blob, array_to_blob, decode_plain, encode_plain
from autograder.processes.frames import FrameError

REFUSALS = frozenset(reason for reason, means in REASONS.items() if means.by_worker)
"""Why an exercise could not be observed."""

OBSERVED = tuple(name for name, evidence in EVIDENCE.items() if evidence == "observed")
"""The criteria that a worker observes, where they have points."""

MAX_FINDINGS = 30
_MAX_ANSWERS = 100
_MAX_PARTS = 1_000  # calls, and leaves of a result
_MAX_NAME = 200


@dataclass(frozen=True)
class Returned:
    """What one call returned: the path of each leaf, and the leaves."""

    names: tuple[str, ...]
    leaves: tuple[np.ndarray, ...]


@dataclass(frozen=True)
class Probed:
    """What a rubric's probe has seen, and the failure that ended it, if any."""

    seen: tuple[Any, ...]
    failure: Finding | None = None


@dataclass(frozen=True)
class Location:
    """Where the student's function begins; findings without a line of their own point there."""

    line: int
    code: str


@dataclass(frozen=True)
class Observation:
    """What was seen of one exercise in the student's process.

    Attributes:
        refused: why nothing could be observed, as (reason, finding); None otherwise.
        programs: one exported program for each call, None where the export failed.
        failures: for each call, why there is no program.
        second_process: the same programs, exported by another process; empty if there was none.
        watched: results of the watched calls, run concretely, to compare with the programs'.
        observed: findings by criterion (purity, compilations; outputs where behaviour is judged).
        location: where the student's function is defined, if known.
        answers: what the student predicted, as `model.answers.literal` returns it.
        probed: what the rubric's probe has seen; None if it has none.
        timeline: what each of the watched calls compiled; shown on the card, it changes no mark.
        jaxpr: of the first watched call, in a notebook whose card shows it: `jaxpr_lines`.
        questions: about the program, where they were asked for.
    """

    refused: tuple[str, Finding] | None = None
    programs: tuple[Program | None, ...] = ()
    failures: tuple[Finding | None, ...] = ()
    second_process: tuple[Program | None, ...] = ()
    watched: tuple[Returned | None, ...] = ()
    observed: Mapping[str, tuple[Finding, ...]] = field(default_factory=dict)
    location: Location | None = None
    answers: Mapping[str, Any] = field(default_factory=dict)
    probed: Probed | None = None
    timeline: Timeline | None = None
    jaxpr: tuple[str, ...] = ()
    questions: Questions | None = None


class Blobs:
    """The blobs of a frame that is being made; equal bytes are sent once."""

    def __init__(self) -> None:
        self._indices: dict[bytes, int] = {}

    def put(self, blob: bytes) -> int:
        """Add a blob, and return its number; equal bytes have one number."""
        return self._indices.setdefault(blob, len(self._indices))

    @property
    def list(self) -> Sequence[bytes]:
        """The blobs, in the order of their numbers."""
        return [*self._indices]


def encode(observation: Observation, blobs: Blobs) -> dict[str, Any]:
    """Write the observation as JSON; its bytes go to `blobs`."""

    def names(paths: Sequence[str]) -> list[str]:
        return [path[:_MAX_NAME] for path in paths]

    def program(made: Program | None) -> dict[str, Any] | None:
        return made and {"names": names(made.names), "blob": blobs.put(made.blob)}

    def leaf(array: np.ndarray) -> dict[str, Any]:
        meta, blob = array_to_blob(array)
        return {**meta, "blob": blobs.put(blob)}

    refused, location, probed = observation.refused, observation.location, observation.probed
    return {
        "refused": refused and [refused[0], refused[1].to_json()],
        "programs": [program(p) for p in observation.programs],
        "failures": [f and f.to_json() for f in observation.failures],
        "second_process": [program(p) for p in observation.second_process],
        "watched": [
            r and {"names": names(r.names), "leaves": [leaf(x) for x in r.leaves]}
            for r in observation.watched
        ],
        "observed": {  # where there are too many, warnings are left out first
            name: [
                f.to_json()
                for f in sorted(found, key=lambda f: f.severity != "error")[:MAX_FINDINGS]
            ]
            for name, found in observation.observed.items()
        },
        "location": location and [location.line, location.code],
        "answers": {q: answer_to_json(answer) for q, answer in observation.answers.items()},
        "probed": probed
        and {
            "seen": [encode_plain(one, blobs.put) for one in probed.seen],
            "failure": probed.failure and probed.failure.to_json(),
        },
        "timeline": observation.timeline and observation.timeline.to_json(),
        "questions": observation.questions and observation.questions.to_json(),
    }


def _known(word: object, words: Collection[str]) -> str:
    return word if isinstance(word, str) and word in words else UNKNOWN


def _each(read: Callable[[Any], Any], data: Any) -> tuple[Any, ...]:
    if not isinstance(data, list) or len(data) > _MAX_PARTS:
        raise ValueError("not a list, or too many parts")
    return tuple(map(read, data))


def _each_or_none(read: Callable[[Any], Any], data: Any) -> tuple[Any, ...]:
    return _each(lambda part: None if part is None else read(part), data)


def _refuse_large(
    programs: tuple[Program | None, ...], failures: tuple[Finding | None, ...]
) -> tuple[tuple[Program | None, ...], tuple[Finding | None, ...]]:
    """Put a failure in place of each program that is larger than any that is graded.

    A worker exports none. One that is only to be timed would go into the store unlooked at.
    """
    kept, why = list(programs), list(failures)
    for i, program in enumerate(programs[: len(failures)]):
        if program is not None and len(program.blob) > MAX_BYTES:
            text = f"{len(program.blob):,} bytes"
            kept[i], why[i] = None, ProgramError("too-large", text).finding()
    return tuple(kept), tuple(why)


def decode(entry: Mapping[str, Any], blobs: Sequence[bytes], rules: Collection[str]) -> Observation:
    """Rebuild an observation from what an untrusted process sent.

    Args:
        entry: what it reports about one exercise.
        blobs: of the same frame.
        rules: allowed rules of findings (`autograder.criteria.rules`); others become `UNKNOWN`.

    Raises:
        FrameError: malformed in any way.
    """

    def finding(data: Any) -> Finding:
        return replace(Finding.from_json(data), rule=_known(data.get("rule"), rules))

    def failure(data: Any) -> Finding:
        # A call without a program is an error, whatever the worker calls it.
        return replace(finding(data), severity="error")

    def blob(index: Any) -> bytes:
        if type(index) is not int or not 0 <= index < len(blobs):
            raise ValueError(f"no blob {index!r}")
        return blobs[index]

    def names(data: Any) -> tuple[str, ...]:
        return _each(lambda name: clean(name, _MAX_NAME), data["names"])

    def program(data: Any) -> Program:
        return Program(blob(data["blob"]), names(data))

    def returned(data: Any) -> Returned:
        leaves = _each(lambda leaf: array_from_blob(leaf, blob(leaf["blob"])), data["leaves"])
        return Returned(names(data), leaves)

    def probed(data: Any) -> Probed:
        end = data["failure"]
        seen = _each(lambda one: decode_plain(one, blob), data["seen"])
        return Probed(seen, None if end is None else failure(end))

    def location(data: Any) -> Location | None:
        # A finding's own limits on line and code apply.
        shown = Finding.from_json({"line": data[0], "code": data[1]})
        return Location(shown.line, shown.code) if shown.line else None

    try:
        refused = entry["refused"]
        if refused is not None:
            return Observation(refused=(_known(refused[0], REFUSALS), finding(refused[1])))
        at, timeline = entry["location"], read_figure(entry.get("timeline"))
        answers = list(entry["answers"].items())[:_MAX_ANSWERS]
        programs, failures = _refuse_large(
            _each_or_none(program, entry["programs"]), _each_or_none(failure, entry["failures"])
        )
        probe = entry.get("probed")
        return Observation(
            programs=programs,
            failures=failures,
            second_process=_each_or_none(program, entry["second_process"]),
            watched=_each_or_none(returned, entry["watched"]),
            observed={
                name: tuple(map(finding, found[:MAX_FINDINGS]))
                for name, found in entry["observed"].items()
                if name in CRITERIA
            },
            location=None if at is None else location(at),
            answers={clean(key, 80): answer_from_json(value) for key, value in answers},
            probed=None if probe is None else probed(probe),
            timeline=timeline if isinstance(timeline, Timeline) else None,
            questions=read_questions(entry.get("questions")),
        )
    except Exception as error:  # untrusted data can raise anything
        raise FrameError(f"malformed observation: {error!r}") from None
