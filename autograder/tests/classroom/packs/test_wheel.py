"""The wheel that packs carry: the same from a checkout and from an installed package."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

from autograder.classroom.course_config import ClassError
from autograder.classroom.packs import wheel as wheels
from autograder.classroom.packs.wheel import _pack_installed, requirements, write_wheel


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    return write_wheel(tmp_path_factory.mktemp("wheel"))


def contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_it_holds_the_course_and_the_packs_own_files(built):
    names = contents(built)
    for name in ("setup.sh", "run_autograder", "workflow.yml", "template_readme.md"):
        assert f"autograder/classroom/packs/{name}" in names
    assert "autograder/lessons/shipped/solutions/02_static_branch.py" in names


def test_an_installed_kit_gives_its_wheel_back(built, tmp_path):
    site, target = tmp_path / "site", tmp_path / "again"
    target.mkdir()
    with zipfile.ZipFile(built) as archive:
        archive.extractall(site)
    (info,) = site.glob("plnkit-*.dist-info")
    with (info / "RECORD").open("a") as record:  # as pip does
        record.write(f"{info.name}/INSTALLER,,\n../../../bin/autograder,,\nplnkit/x.pyc,,\n")
    (info / "INSTALLER").write_text("pip\n")
    again = _pack_installed(metadata.Distribution.at(info), target)
    assert again.name == built.name
    old, new = contents(built), contents(again)
    record = new.pop(f"{info.name}/RECORD").decode()
    old.pop(f"{info.name}/RECORD")
    assert new == old
    rows = {row[0]: row[1:] for row in csv.reader(io.StringIO(record))}
    assert rows.pop(f"{info.name}/RECORD") == ["", ""]
    for name, (digest, size) in rows.items():
        found = base64.urlsafe_b64encode(hashlib.sha256(new[name]).digest()).decode().rstrip("=")
        assert (digest, int(size)) == (f"sha256={found}", len(new[name]))
    assert rows.keys() == new.keys()

    (site / "autograder" / "cli.py").unlink()
    with pytest.raises(
        ClassError, match=r"autograder/cli\.py is missing\)\. Install plnkit from a w"
    ):
        _pack_installed(metadata.Distribution.at(info), target)


def test_a_checkout_without_hatchling(monkeypatch, tmp_path):
    monkeypatch.setattr(wheels, "find_spec", lambda _: None)
    with pytest.raises(ClassError, match="needs hatchling: pip install hatchling"):
        write_wheel(tmp_path)


def test_requirements_pin_jax():
    assert requirements().splitlines()[0] == f"jax=={metadata.version('jax')}"
