import nbformat
import pytest

from autograder.classroom.course_config import ClassError
from autograder.classroom.course_folder import make_course
from autograder.lessons.course import Course


def test_course_folder(tmp_path, root, lessons):
    course = tmp_path / "course101"
    names = make_course(course, Course(root))
    assert names == list(lessons)
    for name in names:
        notebook = nbformat.read(course / "source" / name / f"{name}.ipynb", as_version=4)
        assert notebook["metadata"]["autograder"]["lesson"] == name
    config = (course / "nbgrader_config.py").read_text()
    assert "course_id = 'course101'" in config
    compile(config, "nbgrader_config.py", "exec")


def test_nothing_is_overwritten(tmp_path, root):
    (tmp_path / "grades.csv").write_text("precious")
    with pytest.raises(ClassError, match="already exists and is not empty; nothing was written"):
        make_course(tmp_path, Course(root))
    assert [p.name for p in tmp_path.iterdir()] == ["grades.csv"]
