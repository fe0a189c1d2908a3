"""Reads when a submission was handed in, strictly: a time that could mean two is not read.

nbgrader's own reading takes `19:30 CEST` for 19:30 UTC, and `+0200` for 200 seconds. Here a time
has an offset, or a zone that leaves no doubt: UTC, a name such as `Europe/Berlin`, or the zone of
the course, with its own short name or none.
"""

from __future__ import annotations

import codecs
import os
import re
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo

from autograder.classroom.course_config import UTC_NAMES, Clock
from autograder.grading import messages
from autograder.model.printable import one_line

TIMESTAMP = "timestamp.txt"
MAX_BYTES = 200
"""Size of a timestamp; nbgrader's own have about 30 bytes."""

_ISO = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[Tt]| +)"
    r"((?!24)[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]{1,9})?)?)"
    r"\s*([A-Za-z+-].*)?"
)
_OFFSET = re.compile(r"[+-][0-9]{2}(?::?[0-5][0-9]){0,2}")
_AREA = re.compile(r"[A-Za-z_]+(?:/[A-Za-z0-9_+-]+)+")


class _NotOneMoment(ValueError):
    """A time that is no moment, or could mean two: the message, and what it says of the zone."""


@dataclass(frozen=True)
class Timestamp:
    """What a timestamp file says.

    Attributes:
        when: in UTC and without a zone, as nbgrader keeps it; None where nothing can be read.
        raw: the file's bytes, where they can be read.
        problem: why nothing can be read; "" where there is a time, or no file.
    """

    when: datetime | None = None
    raw: bytes = b""
    problem: str = ""

    @property
    def plain(self) -> bytes | None:
        """The time in nbgrader's own words, which it reads as we do; None where there is none."""
        if self.when is None:
            return None
        words = [f"{self.when.isoformat(' ', unit)} UTC" for unit in ("seconds", "microseconds")]
        is_plain = _decode(self.raw) in words[bool(self.when.microsecond) :]
        return self.raw if is_plain else words[1].encode()


def find_timestamp(folder: Path, clock: Clock) -> Timestamp:
    """Read the timestamp of a submission's folder, whatever lies there under its name."""
    path = folder / TIMESTAMP
    if not os.path.lexists(path):
        return Timestamp()
    try:
        if path.is_symlink() or not path.is_file():
            raise OSError
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except OSError:
        return Timestamp(problem=messages.TIMESTAMP_NO_FILE)
    text, message, zone = _decode(raw), messages.BAD_TIMESTAMP, ""
    if not text:
        return Timestamp(problem=messages.TIMESTAMP_EMPTY)
    if len(raw) <= MAX_BYTES:
        try:
            local, zone = _split(text, clock.format)
            return Timestamp(_to_utc(local, zone, clock), raw)
        except _NotOneMoment as error:
            message, zone = error.args
        except (ValueError, OverflowError):
            pass
    words = {"text": one_line(text, 60), "zone": one_line(zone, 30), "own": clock.zone}
    return Timestamp(problem=message.format(**words))


def _decode(raw: bytes) -> str:
    is_utf16 = raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    text = raw.decode("utf-16" if is_utf16 else "utf-8-sig", errors="replace")
    return text.strip()


def _split(text: str, form: str) -> tuple[datetime, str]:
    """Return a text's date and time, and the words that name its zone.

    Raises:
        ValueError: it is neither in the format of ISO 8601 nor in the course's.
    """
    found = _ISO.fullmatch(text)
    if found is not None:
        date, time, zone = found.groups()
        return datetime.fromisoformat(f"{date} {time}"), zone or ""
    for end in ("%Z", "%z"):
        if form.endswith(end):
            rest, _, zone = text.rpartition(" ")
            return datetime.strptime(rest, form.removesuffix(end).strip()), zone
    return datetime.strptime(text, form).replace(tzinfo=None), ""


def _to_utc(local: datetime, zone: str, clock: Clock) -> datetime:
    if zone.startswith(("+", "-")):
        if not _OFFSET.fullmatch(zone):
            raise ValueError
        moment = datetime.fromisoformat(f"{local.isoformat()}{zone}")
        return moment.astimezone(UTC).replace(tzinfo=None)
    if zone.upper() in UTC_NAMES:
        return local
    if _AREA.fullmatch(zone):
        try:
            return _moment(local, ZoneInfo(zone))
        except (KeyError, OSError):  # there is no such zone
            raise _NotOneMoment(messages.UNKNOWN_ZONE, zone) from None
    return _moment(local, clock.tzinfo, zone)


def _moment(local: datetime, zone: tzinfo, name: str = "") -> datetime:
    """Return a zone's time in UTC.

    Raises:
        _NotOneMoment: the clocks of the zone never showed it, or showed it twice, or it has another
            name there.
    """
    both = [local.replace(tzinfo=zone, fold=fold) for fold in (0, 1)]
    named = [one for one in both if not name or one.tzname() == name]
    if not named:
        raise _NotOneMoment(messages.UNKNOWN_ZONE, name)
    utc = {one.astimezone(UTC) for one in named}
    real = [one for one in utc if one.astimezone(zone).replace(tzinfo=None, fold=0) == local]
    if len(real) != 1:
        raise _NotOneMoment(messages.NO_SUCH_TIME, str(zone))
    return real[0].replace(tzinfo=None)
