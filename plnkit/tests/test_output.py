"""The folder of a fit: whole or not at all, and never with files of an earlier one."""

import os
from pathlib import Path

import pytest

import plnkit
from plnkit import output
from plnkit.output import OutputError, new_folder, write_fit, write_standard_errors
from plnkit.tests.needs import need

pd = need("pandas")


def contents(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture
def out(tmp_path):
    """A folder with an earlier fit, and two things of the user's."""
    out = tmp_path / "out"
    (out / "mine").mkdir(parents=True)
    for name in ("fit.npz", "coefficient_table.csv", "notes.txt", "mine/fit.png"):
        (out / name).write_text("earlier")
    return out


def write_new(out, overwrite=True):
    with new_folder(out, overwrite) as folder:
        assert folder != out and folder.is_dir()
        for name in ("fit.npz", "fitted.csv"):
            (folder / name).write_text("new")


REPLACED = {
    "fit.npz": "new",
    "fitted.csv": "new",
    "mine/fit.png": "earlier",
    "notes.txt": "earlier",
}


def test_files_of_an_earlier_fit_go_and_others_stay(out):
    write_new(out)
    assert contents(out) == REPLACED and os.listdir(out.parent) == ["out"]


def test_the_fit_is_in_its_place_by_renames_alone(out, monkeypatch):
    def refuse(*_):
        raise AssertionError("moved file by file")

    monkeypatch.setattr(output, "_move_files", refuse)
    write_new(out)
    assert contents(out) == REPLACED


def test_where_the_folder_cannot_be_renamed_its_files_are_moved(out, monkeypatch):
    """A mount point, or a folder that is open on Windows."""
    rename = Path.rename

    def refuse(path, target):
        if path == out:
            raise PermissionError(13, "in use")
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", refuse)
    write_new(out)
    assert contents(out) == REPLACED and os.listdir(out.parent) == ["out"]


def test_where_nothing_can_be_made_beside_it_the_new_folder_is_inside(out, monkeypatch):
    mkdir = Path.mkdir

    def refuse(path, *args, **kwargs):
        if path.parent == out.parent and path != out:
            raise PermissionError(13, "read-only")
        return mkdir(path, *args, **kwargs)

    monkeypatch.setattr(Path, "mkdir", refuse)
    write_new(out)
    assert contents(out) == REPLACED and not list(out.glob("*.part"))


def test_the_folder_that_one_is_in_stays(out, monkeypatch):
    monkeypatch.chdir(out)
    before = out.stat().st_ino
    write_new(Path("."))
    assert contents(out) == REPLACED and out.stat().st_ino == before


def test_a_link_stays_one(out, tmp_path):
    (tmp_path / "link").symlink_to(out, target_is_directory=True)
    write_new(tmp_path / "link")
    assert (tmp_path / "link").is_symlink() and contents(out) == REPLACED


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
@pytest.mark.parametrize("place", ["out", "a/b/c"])
def test_nothing_is_written_where_something_is_wrong(out, error, place):
    before = contents(out.parent)
    with pytest.raises(error), new_folder(out.parent / place, overwrite=True) as folder:
        (folder / "fit.npz").write_text("new")
        raise error
    assert contents(out.parent) == before and os.listdir(out.parent) == ["out"]


def test_the_new_files_are_kept_where_they_cannot_take_their_place(out, monkeypatch):
    rename = Path.rename

    def refuse(path, target):
        if path.suffix == ".part":
            raise PermissionError(13, "in use")
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(OutputError, match=r"cannot be replaced \(in use\)") as error:
        write_new(out)
    kept = Path(str(error.value).partition("the new files are in ")[2].removesuffix("."))
    assert contents(kept) == {"fit.npz": "new", "fitted.csv": "new"}
    assert contents(out)["fit.npz"] == "earlier"


def test_an_empty_folder_is_used(tmp_path):
    (tmp_path / "out").mkdir(mode=0o750)
    write_new(tmp_path / "out", overwrite=False)
    assert contents(tmp_path / "out") == {"fit.npz": "new", "fitted.csv": "new"}
    assert os.name != "posix" or (tmp_path / "out").stat().st_mode & 0o777 == 0o750


@pytest.mark.parametrize(
    ("place", "overwrite", "message"),
    [
        ("out", False, "exists and is not empty. Name another folder, or give --overwrite to"),
        ("out/fit.npz", True, "out/fit.npz is a file. Name a folder."),
        ("out/notes.txt/x/y", True, "out/notes.txt is a file. Name a folder."),
        ("circle/x", True, "cannot be written ("),
        ("x" * 300, True, "cannot be written ("),
    ],
)
def test_a_folder_that_cannot_be_used_is_told_before_the_fit(out, place, overwrite, message):
    (out.parent / "circle").symlink_to(out.parent / "circle")
    before = contents(out)
    with pytest.raises(OutputError) as error, new_folder(out.parent / place, overwrite):
        pytest.fail("there is a folder")
    assert message in str(error.value) and contents(out) == before


def test_a_folder_that_may_not_be_written_to_is_told_before_the_fit(out):
    before, beside = contents(out), set(out.parent.iterdir())
    out.chmod(0o555)
    if os.access(out, os.W_OK):
        pytest.skip("root writes everywhere")
    with pytest.raises(OutputError, match="cannot be written"), new_folder(out, True):
        pytest.fail("there is a folder")
    assert contents(out) == before and set(out.parent.iterdir()) == beside


def test_a_file_that_cannot_be_written_costs_no_other(small_fit, tmp_path, monkeypatch):
    def fail(*_):
        raise MemoryError("no memory")

    monkeypatch.setattr(plnkit.Fit, "plot", fail)
    monkeypatch.setitem(output.WRITERS, "precision.csv", fail)
    missing = write_fit(small_fit, tmp_path)
    assert missing == [
        "precision.csv is missing: MemoryError: no memory",
        "fit.png is missing: MemoryError: no memory",
    ]
    written = {"fit.npz", *output.WRITERS} - {"precision.csv", "fit.png"}
    assert set(os.listdir(tmp_path)) == written
    assert plnkit.load_fit(tmp_path / "fit.npz").elbo == small_fit.elbo


def test_standard_errors_that_fail_leave_the_fit(small_fit, tmp_path, monkeypatch):
    def fail(*_):
        raise MemoryError

    monkeypatch.setattr(plnkit.Fit, "coefficient_table", fail)
    (tmp_path / "fit.npz").write_text("the fit")
    missing = write_standard_errors(small_fit, tmp_path)
    assert missing == ["coefficient_table.csv is missing: MemoryError: "]
    assert contents(tmp_path) == {"fit.npz": "the fit"}


def test_standard_errors_are_added(small_fit, tmp_path, monkeypatch):
    table = pd.DataFrame({"z": [1]})
    monkeypatch.setattr(plnkit.Fit, "coefficient_table", lambda _: table)
    assert write_standard_errors(small_fit, tmp_path) == []
    assert contents(tmp_path) == {"coefficient_table.csv": "z\n1\n"}
