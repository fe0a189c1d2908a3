"""Links between the sources of the site, and from them to the rest of the repository."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.lessons.lesson import LessonError
from autograder.lessons.site.doc_pages import Door, find_pages, translate

PAGES = {
    "autograder/README.md": "teach",
    "autograder/docs/marks.md": "marks",
    "exercises/00_puzzles.ipynb": "exercises/00_puzzles.ipynb",
    "exercises/README.md": "course",
}


def translated(
    root: Path, text: str, source: str = "autograder/docs/marks.md", repo: str = ""
) -> str:
    return translate(text, source, PAGES, repo, root).rstrip("\n")


@pytest.mark.parametrize(
    ("link", "becomes"),
    [
        ("[door](../README.md#make-a-course)", "[door](teach.md#make-a-course)"),
        ("[course](../../exercises/)", "[course](course.md)"),
        ("[lesson](../../exercises/00_puzzles.ipynb)", "[lesson](exercises/00_puzzles.ipynb)"),
        ("[here](#top)", "[here](#top)"),
        ("[jax](https://docs.jax.dev)", "[jax](https://docs.jax.dev)"),
        ("![a badge](https://example.org/a.svg)", "a badge"),
        ("![form](../../.github/figures/formgrader.png)", "![form](/figures/formgrader.png)"),
        ("[code](../cli.py)", "code"),
    ],
)
def test_links(root: Path, link: str, becomes: str) -> None:
    assert translated(root, f"See {link}.") == f"See {becomes}."


def test_a_file_is_on_github_once_that_is_known(root: Path) -> None:
    words = translated(root, "[a](../cli.py), [b](../criteria)", repo="ada/plnkit")
    address = "https://github.com/ada/plnkit"
    cli, criteria = f"{address}/blob/main/autograder/cli.py", f"{address}/tree/main/autograder"
    assert words == f"[a]({cli}), [b]({criteria}/criteria)"


def test_code_is_left_as_it_is_and_words_may_be_broken(root: Path) -> None:
    text = "[two\nlines](../README.md)\n```md\n[x](../README.md)\n```"
    assert translated(root, text) == "[two\nlines](teach.md)\n```md\n[x](../README.md)\n```"


def test_from_a_lesson_the_way_is_up(root: Path) -> None:
    words = translated(root, "[course](README.md)", "exercises/00_puzzles.ipynb")
    assert words == "[course](../course.md)"


def test_what_is_forgotten_or_missing_is_named(tmp_path: Path) -> None:
    (tmp_path / "a" / "docs").mkdir(parents=True)
    (tmp_path / "a" / "docs" / "one.md").write_text("# One")
    with pytest.raises(LessonError, match=r"a/docs/one\.md is on no page of the site"):
        find_pages([], tmp_path)
    door = Door("x", "X", "a/docs/one.md")
    assert find_pages([door], tmp_path) == {"a/docs/one.md": "x"}
    with pytest.raises(LessonError, match=r"two\.md is missing"):
        find_pages([door, Door("y", "Y", "a/docs/two.md")], tmp_path)
    with pytest.raises(LessonError, match="two pages x"):
        find_pages([door, Door("x", "X", "a/docs/one.md")], tmp_path)
