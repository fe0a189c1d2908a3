"""The secret key of a course."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autograder.classroom.course_config import KEY_FILE, ClassError, CourseKey, read_key


def write_key(course: Path, **data: object) -> None:
    (course / KEY_FILE).parent.mkdir(exist_ok=True)
    (course / KEY_FILE).write_text(json.dumps(data))


def test_each_lesson_has_a_key_of_its_own(tmp_path: Path) -> None:
    key = read_key(tmp_path)
    assert key.secret.bit_length() > 100
    lessons = [key.for_lesson(name) for name in ("tracing", "timing", "capstone")]
    assert len({key.secret, *lessons}) == 4
    assert lessons == [read_key(tmp_path).for_lesson(n) for n in ("tracing", "timing", "capstone")]
    assert CourseKey(key.secret ^ 1).for_lesson("tracing") not in lessons


def test_is_an_hmac() -> None:
    # hmac.digest((7).to_bytes(16), b"tracing", "sha256")[:16]
    expected = 0x5C3BFFDAF186B050A7B26176EC0498E1
    key = CourseKey(7).for_lesson("tracing")
    assert key == expected


@pytest.mark.parametrize(
    ("data", "printed"),
    [
        ({"schema": 1, "key": 0}, "positive whole number"),
        ({"schema": 1, "key": 2**128}, "at most 128 bits"),
        ({"schema": 1, "key": True}, "positive whole number"),
        ({"schema": 3, "key": 5}, "its schema is 3; this version reads 1"),
        ({"schema": 1}, "key"),
    ],
)
def test_a_spoilt_file_is_named(tmp_path: Path, data: dict, printed: str) -> None:
    write_key(tmp_path, **data)
    with pytest.raises(ClassError, match=printed):
        read_key(tmp_path)
