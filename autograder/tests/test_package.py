"""What is packaged: neither lessons nor tests, and no import that a GPU machine may lack."""

import subprocess
import sys
import zipfile

import pytest


def test_wheel_holds_the_packages_and_the_licence_only(tmp_path, root):
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path]
    subprocess.run(command, cwd=root, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    assert tops == {"autograder", "plnkit", "plnkit-0.1.0.dist-info"}
    assert "plnkit/LICENSE" in names
    assert "autograder/rubrics/static_branch.py" in names
    assert {"autograder/classroom/class_page.html", "autograder/render/card.html"} <= {*names}
    assert not [name for name in names if "/tests/" in name or "solutions/" in name]


@pytest.mark.parametrize("package", ["autograder", "autograder.learner.kernel", "plnkit"])
def test_imports_nothing_that_may_be_missing(package):
    absent = {"nbgrader", "torch", "pyPLNmodels", "IPython"}
    code = f"import sys, {package}; print(*{absent} & {{*sys.modules}})"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (run.returncode, run.stdout.strip()) == (0, ""), run.stderr
