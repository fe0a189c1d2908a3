"""Bundles are whole or refused with a sentence."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import jax
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from autograder.criteria.speed.bundle import (
    BundleError,
    BundleWriter,
    _pack,
    _unpack,
    read_bundle,
)
from autograder.tests.benchmarks.example_bundle import write_example


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_example(tmp_path_factory.mktemp("speed") / "bundle", 2)


@pytest.fixture
def bundle(written: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(written, tmp_path / "bundle"))


def change_manifest(path: Path, **fields: object) -> None:
    file = path / "manifest.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | fields))


@pytest.mark.slow
def test_read_gives_back_what_was_written(bundle: Path) -> None:
    read = read_bundle(bundle)
    assert [entry.exercise for entry in read.entries] == ["example_1x_0", "example_2x_1"]
    first = read.entries[0]
    assert first.result_key == f"{first.exercise}:{first.program}:{'0' * 64}::0"
    assert [[a.shape for a in draw] for draw in read.draws(first.inputs)] == [[(96, 96)] * 2] * 2
    assert len({entry.baseline for entry in read.entries}) == 1


def program_file(path: Path) -> Path:
    return path / f"{read_bundle(path).entries[0].program}.stablehlo"


def cut(path: Path) -> None:
    file = program_file(path)
    file.write_bytes(file.read_bytes()[:-10])


def flip(path: Path) -> None:
    file = program_file(path)
    data = bytearray(file.read_bytes())
    data[100] ^= 1
    file.write_bytes(bytes(data))


REFUSED: list[tuple[Callable[[Path], object], str]] = [
    (cut, "is not what was written: its SHA-256 differs"),
    (flip, "is not what was written: its SHA-256 differs"),
    (lambda p: program_file(p).unlink(), "the bundle was not copied whole. Copy it again."),
    (lambda p: (p / "manifest.json").unlink(), "holds no manifest.json"),
    (
        lambda p: (p / "manifest.json").write_text((p / "manifest.json").read_text()[:-40]),
        "it was cut off or changed",
    ),
    (lambda p: (p / "manifest.json").write_text("[]"), "it was cut off or changed"),
    (
        lambda p: change_manifest(p, schema=1),
        "has schema 1, this program reads schema 3. Use the same",
    ),
    (lambda p: change_manifest(p, kind="else"), "its kind is 'else'"),
    (
        lambda p: change_manifest(p, jax="99.1.0"),
        f"was written with jax 99.1.0, here is jax {jax.__version__}: programs cannot be run by an "
        "older release. Install jax 99.1.0 or newer.",
    ),
    (lambda p: change_manifest(p, entries=[{"exercise": "x"}]), "cannot be read ('program')"),
]


@pytest.mark.gate
@pytest.mark.parametrize(("harm", "sentence"), REFUSED)
def test_refused_with_a_sentence(
    bundle: Path, harm: Callable[[Path], object], sentence: str
) -> None:
    harm(bundle)
    with pytest.raises(BundleError) as error:
        read_bundle(bundle)
    assert sentence in str(error.value)
    assert str(bundle) in str(error.value)


@pytest.mark.parametrize(
    "change",
    [
        {"program": "../../secret"},
        {"inputs": "0"},
        {"reference_solution": "../../secret"},
        {"eager": True, "baseline": "", "lesson": "../x", "call": [None]},
    ],
)
def test_entries_name_no_other_files_and_lessons(bundle: Path, change: dict[str, object]) -> None:
    entries = json.loads((bundle / "manifest.json").read_text())["entries"]
    change_manifest(bundle, entries=[entries[0] | change])
    with pytest.raises(BundleError, match="cannot be read"):
        read_bundle(bundle)


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(BundleError, match="is not a folder with a speed bundle"):
        read_bundle(tmp_path / "nothing")


def test_pickled_inputs_are_not_loaded(tmp_path: Path) -> None:
    writer = BundleWriter(tmp_path / "bundle")
    with pytest.raises(TypeError, match="dtype object cannot be put in a bundle"):
        writer.put_arrays([[np.array([{}], object)]])


def test_other_files_beside_it_are_not_read(bundle: Path) -> None:
    """A file manager may leave some."""
    (bundle / ".DS_Store").write_bytes(b"folder")
    assert len(read_bundle(bundle).entries) == 2


numbers = hnp.arrays(
    dtype=st.sampled_from(["float32", "int32", "uint32", "bool", "complex64"]),
    shape=hnp.array_shapes(min_dims=0, max_dims=3, max_side=4),
)


@settings(deadline=None, max_examples=50)
@given(st.lists(numbers, max_size=3), st.integers(1, 12))
def test_inputs_survive_and_depend_on_the_numbers_only(draw: list[np.ndarray], n: int) -> None:
    if not draw:
        return
    data = _pack([draw] * n)
    assert data == _pack([draw] * n)
    back = _unpack(data)
    assert len(back) == n
    for arrays in back:
        for before, after in zip(draw, arrays, strict=True):
            assert after.dtype == before.dtype
            np.testing.assert_array_equal(after, before)
