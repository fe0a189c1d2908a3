"""Reads when a submission was handed in, strictly: a time that could mean two is not read.

nbgrader's own reading takes `19:30 CEST` for 19:30 UTC, and `+0200` for 200 seconds. Here a time
has an offset, or a zone that leaves no doubt: UTC, a name such as `Europe/Berlin`, or the zone of
the course, with its own short name or none.
"""

from __future__ import annotations

import codecs
import re
import stat
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from pathlib import Path
from zoneinfo import ZoneInfo

from autograder.classroom import messages
from autograder.classroom.course_folder import CONFIG_FILE, ClassError
from autograder.grading import messages as student_messages
from autograder.model.printable import one_line

TIMESTAMP = "timestamp.txt"
MAX_BYTES = 200
"""Size of a timestamp; nbgrader's own have about 30 bytes."""

NBGRADERS = "%Y-%m-%d %H:%M:%S.%f %Z"
"""The format in which nbgrader's exchange writes them, unless its configuration has another."""

_ISO = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[Tt]| +)"
    r"([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]{1,9}))?)?"
    r"\s*([A-Za-z+-].*)?"
)
_OFFSET = re.compile(r"([+-])([0-9]{2})(?::?([0-9]{2})(?::?([0-9]{2}))?)?")
_UTC_NAMES = {"UTC", "GMT", "Z"}
_AREA = re.compile(r"[A-Za-z_]+(?:/[A-Za-z0-9_+-]+)+")


class _UnreadTime(ValueError):
    """The text is not one moment; the message says why, for whoever reads the report."""


@dataclass(frozen=True)
class Clock:
    """How a course writes times: its zone, by name, and the format of its exchange."""

    zone: str = "UTC"
    format: str = NBGRADERS

    @property
    def tzinfo(self) -> tzinfo:
        """The zone.

        Raises:
            ZoneInfoNotFoundError, ValueError, OSError: there is no such zone on this machine.
        """
        return UTC if self.zone in _UTC_NAMES else ZoneInfo(self.zone)


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


def course_clock(course: Path) -> Clock:
    """Return how a course writes times, as its configuration tells nbgrader's exchange.

    Raises:
        ClassError: it names a zone that there is not.
    """
    file = course / CONFIG_FILE
    try:
        changed = file.stat().st_mtime_ns
    except OSError:
        return Clock()
    return _read_clock(course, changed)


@lru_cache(maxsize=8)
def _read_clock(course: Path, changed: int) -> Clock:
    from autograder.classroom.gradebook import course_config  # imports nbgrader's

    exchange = course_config(course).get("Exchange", {})
    clock = Clock(exchange.get("timezone", "UTC"), exchange.get("timestamp_format", NBGRADERS))
    try:
        datetime.now(clock.tzinfo).strftime(clock.format)
    except Exception:  # a setting may hold anything
        raise ClassError(
            messages.NOT_A_CLOCK.format(file=course / CONFIG_FILE, clock=clock)
        ) from None
    return clock


def find_timestamp(folder: Path, clock: Clock) -> Timestamp:
    """Read the timestamp of a submission's folder, whatever lies there under its name."""
    path = folder / TIMESTAMP
    try:
        mode = path.lstat().st_mode
    except OSError:
        return Timestamp()
    if not stat.S_ISREG(mode):
        return Timestamp(problem=student_messages.TIMESTAMP_NO_FILE)
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except OSError:
        return Timestamp(problem=student_messages.TIMESTAMP_NO_FILE)
    try:
        return Timestamp(_read_bytes(raw, clock), raw)
    except _UnreadTime as error:
        return Timestamp(problem=str(error))


def _read_bytes(raw: bytes, clock: Clock) -> datetime:
    text = _decode(raw)
    if not text:
        raise _UnreadTime(student_messages.TIMESTAMP_EMPTY)
    shown = one_line(text, 60)
    if len(raw) > MAX_BYTES:
        raise _UnreadTime(student_messages.BAD_TIMESTAMP.format(text=shown))
    try:
        local, zone = _split(text, clock.format)
        return _to_utc(local, zone, clock)
    except _NotOneMoment as error:
        where = {"text": shown, "zone": one_line(str(error), 30), "own": clock.zone}
        raise _UnreadTime(error.message.format(**where)) from None
    except (ValueError, OverflowError):
        raise _UnreadTime(student_messages.BAD_TIMESTAMP.format(text=shown)) from None


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
        *date, hour, minute, second, part, zone = found.groups()
        year, month, day = map(int, date)
        microsecond = int(f"{part or '0':0<6}"[:6])
        clock = (int(hour), int(minute), int(second or 0), microsecond)
        return datetime(year, month, day, *clock), zone or ""
    for end in ("%Z", "%z"):
        if form.endswith(end):
            rest, _, zone = text.rpartition(" ")
            return datetime.strptime(rest, form.removesuffix(end).strip()), zone
    return datetime.strptime(text, form).replace(tzinfo=None), ""


class _NotOneMoment(ValueError):
    """A time whose zone is not known, or does not settle it; `message` says which."""

    def __init__(self, message: str, zone: str) -> None:
        super().__init__(zone)
        self.message = message


def _to_utc(local: datetime, zone: str, clock: Clock) -> datetime:
    offset = _OFFSET.fullmatch(zone)
    if offset is not None:
        sign, *parts = offset.groups()
        hours, minutes, seconds = (int(part or 0) for part in parts)
        if max(minutes, seconds) > 59:
            raise ValueError
        east = timedelta(hours=hours, minutes=minutes, seconds=seconds)
        return _moment(local, timezone(east if sign == "+" else -east))
    if zone.upper() in _UTC_NAMES:
        return local
    if _AREA.fullmatch(zone):
        try:
            return _moment(local, ZoneInfo(zone))
        except (KeyError, OSError):  # there is no such zone
            raise _NotOneMoment(student_messages.UNKNOWN_ZONE, zone) from None
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
        raise _NotOneMoment(student_messages.UNKNOWN_ZONE, name)
    utc = {one.astimezone(UTC) for one in named}
    real = [one for one in utc if one.astimezone(zone).replace(tzinfo=None, fold=0) == local]
    if len(real) != 1:
        raise _NotOneMoment(student_messages.NO_SUCH_TIME, str(zone))
    return real[0].replace(tzinfo=None)
