"""When a submission was handed in: one moment, or nothing and the reason."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.classroom.course_config import CONFIG_FILE, ClassError, Clock, read_config
from autograder.classroom.timestamps import TIMESTAMP, find_timestamp

BERLIN = Clock("Europe/Berlin")
GREENWICH = Clock()


def read(folder, content: bytes | str, clock: Clock = GREENWICH):
    (folder / TIMESTAMP).write_bytes(content.encode() if isinstance(content, str) else content)
    return find_timestamp(folder, clock)


AT_1730 = datetime(2026, 7, 20, 17, 30)


@pytest.mark.parametrize(
    "text",
    [
        "2026-07-20 17:30:00 UTC",
        "2026-07-20 17:30:00.000000 UTC\n",
        "2026-07-20T17:30:00Z",
        "2026-07-20t17:30z",
        "2026-07-20 17:30",
        "2026-07-20 17:30:00 GMT",
        "2026-07-20 19:30:00 +0200",
        "2026-07-20 19:30:00 +02:00",
        "2026-07-20 19:30:00 +02",
        "2026-07-20T19:30:00+02:00",
        "2026-07-20 12:00:00-05:30",
        "2026-07-20 19:30:00 Europe/Berlin",
        "\ufeff2026-07-20 17:30:00 UTC\r\n",
        "2026-07-20 17:30:00 UTC".encode("utf-16"),
    ],
)
def test_what_leaves_no_doubt_is_read_in_any_course(tmp_path, text):
    found = read(tmp_path, text)
    assert (found.when, found.problem) == (AT_1730, "")
    assert read(tmp_path, found.plain or b"").when == AT_1730


def test_nbgrader_reads_the_copy_as_we_do(tmp_path):
    from nbgrader.utils import parse_utc

    for text in ("2026-07-20 19:30:00 CEST", "2026-07-20 19:30:00.250000 +0200"):
        found = read(tmp_path, text, BERLIN)
        assert found.plain is not None
        assert parse_utc(found.plain.decode()) == found.when
    own = b"2026-07-20 17:30:00.250000 UTC"
    assert read(tmp_path, own).plain == own


@pytest.mark.parametrize(
    ("text", "hour"),
    [
        ("2026-07-20 19:30:00 CEST", 17),
        ("2026-07-20 19:30:00.000000 CEST", 17),
        ("2026-12-20 19:30:00 CET", 18),
        ("2026-07-20 19:30:00", 17),
        ("2026-12-20 19:30:00", 18),
        ("2026-10-25 02:30:00 CEST", 0),  # this half hour came twice: the name says which one
        ("2026-10-25 02:30:00 CET", 1),
        ("2026-07-20 19:30:00 GMT", 19),
    ],
)
def test_the_courses_zone(tmp_path, text, hour):
    found = read(tmp_path, text, BERLIN)
    assert found.when is not None and (found.when.hour, found.problem) == (hour, "")


NOT_COUNTED = ": no lateness was counted"
NO_TIME = "which is not a time such as 2026-12-01 18:00:00 +0100"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("2026-07-20 19:30:00 CEST", "and 'CEST' says no offset for sure in a course whose times"),
        ("2026-07-20 19:30:00 CET", "are in UTC"),
        ("2026-07-20 19:30:00 EST", "'EST' says no offset for sure"),
        ("2026-07-20 19:30:00 Europe/Bonn", "'Europe/Bonn' says no offset for sure"),
        ("2026-07-20 19:30:00 America/../../etc/passwd", "says no offset for sure"),
        ("2026-07-20 19:30:00 UTC+2", "'UTC+2' says no offset for sure"),
        ("2026-07-20 19:30:00 +0260", NO_TIME),
        ("2026-07-20 19:30:00 +9900", NO_TIME),
        ("2026-07-20 19:30:00 200", NO_TIME),
        ("2026-07-20", NO_TIME),
        ("19:30 UTC", NO_TIME),
        ("20.07.2026 19:30", NO_TIME),
        ("2026-02-30 10:00:00 UTC", NO_TIME),
        ("2026-07-20 24:00:00 UTC", NO_TIME),
        ("2026-07-20 23:59:60 UTC", NO_TIME),
        ("٢٠٢٦-07-20 19:30:00 UTC", NO_TIME),
        ("0001-01-01 00:00:00 +0100", NO_TIME),
        ("9999-12-31 23:59:59 -0100", NO_TIME),
        ("2026-07-20 19:30:00 UTC\nand more", NO_TIME),
        ("half past eight", "timestamp.txt holds 'half past eight', which is not a time"),
        ("1753036200", NO_TIME),
        (b"\x00\xff\xfe\x80" * 10, NO_TIME),
        (b"\xff\xfe\x00", NO_TIME),
        ("2026-07-20 19:30:00 UTC" + " " * 300, NO_TIME),
        (b"9" * 2**20, NO_TIME),
        ("", "timestamp.txt is empty"),
        (" \n", "timestamp.txt is empty"),
    ],
)
def test_what_could_mean_two_moments_or_none_is_not_read(tmp_path, text, problem):
    found = read(tmp_path, text)
    assert (found.when, found.plain) == (None, None)
    assert problem in found.problem and NOT_COUNTED in found.problem
    assert len(found.problem) < 250


@pytest.mark.parametrize(
    "text", ["2026-03-29 02:30:00", "2026-03-29 02:30:00 CEST", "2026-10-25 02:30:00"]
)
def test_a_time_that_the_clocks_skipped_or_showed_twice(tmp_path, text):
    found = read(tmp_path, text, BERLIN)
    assert found.when is None
    assert "which the clocks of Europe/Berlin showed twice or never" in found.problem


@pytest.mark.parametrize("name", ["CET", "EST", "UTC-2"])
def test_a_name_that_the_course_does_not_use_then(tmp_path, name):
    found = read(tmp_path, f"2026-07-20 19:30:00 {name}", BERLIN)
    assert found.when is None and f"{name!r} says no offset for sure" in found.problem
    assert "times are in Europe/Berlin" in found.problem


ZONES = [UTC, *(ZoneInfo(n) for n in ("Europe/Berlin", "America/New_York", "Asia/Kathmandu"))]
MOMENTS = st.datetimes(datetime(1900, 1, 3), datetime(9999, 12, 29), timezones=st.just(UTC))
OFFSETS = st.builds(lambda m: timezone(timedelta(minutes=m)), st.integers(-1439, 1439))
FORMATS = ["%Y-%m-%d %H:%M:%S.%f %z", "%Y-%m-%dT%H:%M:%S.%f%z", "%Y-%m-%d %H:%M:%S,%f %z"]


@settings(deadline=None)
@given(MOMENTS, OFFSETS | st.sampled_from(ZONES), st.sampled_from([*FORMATS, "iso"]))
def test_a_time_with_an_offset_comes_back(tmp_path_factory, moment, zone, form):
    local = moment.astimezone(zone)
    text = local.isoformat() if form == "iso" else local.strftime(form)
    if local.year < 1000:
        return  # strftime pads years on some systems only
    found = read(tmp_path_factory.getbasetemp(), text)
    assert found.when == moment.replace(tzinfo=None), text


@settings(deadline=None)
@given(MOMENTS, st.sampled_from(["Europe/Berlin", "America/New_York", "Australia/Lord_Howe"]))
def test_what_the_courses_exchange_writes_comes_back(tmp_path_factory, moment, zone):
    clock = Clock(zone)
    text = moment.astimezone(clock.tzinfo).strftime(clock.format)
    assert read(tmp_path_factory.getbasetemp(), text, clock).when == moment.replace(tzinfo=None)


@pytest.mark.gate
@settings(deadline=None)
@given(st.binary(max_size=300) | st.text(max_size=80).map(str.encode))
def test_anything_else_is_reported(tmp_path_factory, content):
    for clock in (Clock(), BERLIN, Clock("Europe/Berlin", "%d.%m.%Y %H:%M %Z")):
        found = read(tmp_path_factory.getbasetemp(), content, clock)
        assert (found.when is None) == bool(found.problem)


def test_the_format_of_the_courses_exchange(tmp_path):
    for form in ("%d.%m.%Y %H:%M:%S %Z", "%d.%m.%Y %H:%M:%S %z", "%d.%m.%Y %H:%M:%S"):
        clock = Clock("Europe/Berlin", form)
        text = datetime(2026, 2, 1, 19, 30, tzinfo=clock.tzinfo).strftime(form)
        assert text.startswith("01.02.2026")
        assert read(tmp_path, text, clock).when == datetime(2026, 2, 1, 18, 30), form
        assert read(tmp_path, "2026-02-01 18:30:00 UTC", clock).when is not None


@pytest.mark.parametrize("kind", ["link", "folder", "pipe", "closed"])
def test_what_is_no_file_is_reported(tmp_path, kind):
    path = tmp_path / TIMESTAMP
    if kind == "link":
        (tmp_path / "mine").write_text("2026-07-20 17:30:00 UTC")
        path.symlink_to(tmp_path / "mine")
    elif kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.write_text("2026-07-20 17:30:00 UTC")
        path.chmod(0)
        if os.access(path, os.R_OK):
            pytest.skip("root reads every file")
    found = find_timestamp(tmp_path, Clock())
    assert found.problem == f"timestamp.txt is not a file that can be read{NOT_COUNTED}"


def test_no_file_is_no_problem(tmp_path):
    found = find_timestamp(tmp_path, Clock())
    assert (found.when, found.plain, found.problem) == (None, None, "")


def write_config(course, *lines: str) -> None:
    file = course / CONFIG_FILE
    file.write_text("\n".join(["c = get_config()", *lines, ""]))


def test_the_course_names_its_zone(tmp_path):
    write_config(tmp_path)
    assert read_config(tmp_path).clock == Clock()
    write_config(tmp_path, 'c.Exchange.timezone = "Europe/Berlin"')
    assert read_config(tmp_path).clock == BERLIN


@pytest.mark.parametrize("value", ["Europe/Bonn", "", "../etc/passwd", 3, ["UTC"]])
def test_a_zone_that_there_is_not(tmp_path, value):
    write_config(tmp_path, f"c.Exchange.timezone = {value!r}")
    with pytest.raises(ClassError, match=r"c\.Exchange\.timezone is .*Give a zone such as"):
        read_config(tmp_path)
