"""Who is alike: copies are found under other names, usual solutions are not, and text is text."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

from autograder.classroom.alike.features import PROGRAM, Source, read_cells
from autograder.classroom.alike.similar import find_pairs, write_similar
from autograder.classroom.assignment import open_assignments
from autograder.classroom.course_config import read_config
from autograder.classroom.course_grader import CourseGrader
from autograder.classroom.demo import submit
from autograder.model.graded import Graded
from autograder.tests.benchmarks.alike import WAYS
from autograder.tests.helpers.courses import ASSIGNMENT, RIGHT

UNUSUAL = """
@jax.jit(static_argnames="power")
def box_cox(counts, power):
    # Tukey's ladder of powers, as in the fourth lecture
    shifted = jnp.asarray(counts, float) + 1
    ladder = {0: jnp.log, 1: lambda y: y - 1, 2: lambda y: (y * y - 1) / 2}
    bent = ladder.get(power, lambda y: jnp.expm1(power * jnp.log(y)) / power)
    answer = bent(shifted)
    total = sum(jnp.isfinite(answer).ravel().tolist()) if power is None else None
    return answer if total is None else answer * total
"""
HOSTILE = "# </pre><script>alert(1)</script> & \x1b[31m my very own words\n"
OTHERS = [
    f"@jax.jit\ndef box_cox(counts, power):\n    return jnp.where(power == {i}, counts, {i})\n"
    for i in range(8)
]


def of(source: str, is_code: bool = True) -> Source:
    return Source.from_json(read_cells([(source, is_code)]))


def found(*sources: str, common: tuple[str, ...] = (RIGHT,)) -> list[tuple[str, str]]:
    everybody = {f"s{i}": of(source) for i, source in enumerate([*sources, *OTHERS])}
    return [pair.students for pair in find_pairs(everybody, [of(text) for text in common])]


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_a_copy_is_found_however_it_is_disguised(way):
    assert found(UNUSUAL, WAYS[way](UNUSUAL)) == [("s0", "s1")]


def test_what_the_lesson_gives_is_no_copy():
    assert found(RIGHT, RIGHT) == []
    assert found(UNUSUAL, UNUSUAL, common=(UNUSUAL,)) == []


def test_a_short_solution_that_anybody_would_write_is_no_copy():
    short = "@jax.jit\ndef box_cox(y, p):\n    return jnp.log(y + 1)\n"
    assert found(short, short) == []


def test_what_many_wrote_is_no_copy():
    assert found(*[UNUSUAL] * 6) == []
    assert len(found(*[UNUSUAL] * 3)) == 3


def test_code_that_python_cannot_read_is_compared_as_far_as_it_goes():
    broken = UNUSUAL + "\n    return (('''"
    assert found(broken, broken) == [("s0", "s1")]


def test_copied_answers_in_words_are_found():
    text = " ".join(f"word{i} is what I think about this," for i in range(5))
    sources = {f"s{i}": of(text, False) for i in range(2)}
    sources |= {f"t{i}": of(f"another answer, number {i}", False) for i in range(9)}
    assert [pair.students for pair in find_pairs(sources)] == [("s0", "s1")]


def test_the_same_wrong_program_adds_to_what_is_alike():
    plain = {f"s{i}": of(UNUSUAL if i < 2 else OTHERS[i]) for i in range(8)}
    wrong = {(PROGRAM, "box_cox 1234"): frozenset()}
    with_program = {
        s: Source(source.lines, source.features | (wrong if s in ("s0", "s1") else {}))
        for s, source in plain.items()
    }
    (before,), (after,) = find_pairs(plain), find_pairs(with_program)
    assert after.bits > before.bits
    assert (PROGRAM, "box_cox 1234") in after.features


def test_a_result_keeps_the_digests_of_its_programs_and_old_results_have_none():
    graded = Graded((), program_digests={"f": "12"})
    assert Graded.from_json(graded.to_json()) == graded
    old = {k: v for k, v in graded.to_json().items() if k != "program_digests"}
    assert Graded.from_json(old).program_digests == {}


class Page(HTMLParser):
    """Tags, and the text of each kind of tag."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.marked: list[str] = []
        self.all = ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)

    def handle_data(self, data):
        self.all += data
        if self.tags and self.tags[-1] == "mark":
            self.marked.append(data)


@pytest.mark.slow
def test_the_page_shows_both_sides_and_runs_nothing(course, tmp_path):
    submit(course, ASSIGNMENT, "ada", HOSTILE + UNUSUAL)
    submit(course, ASSIGNMENT, "<i>bela", HOSTILE + WAYS["renamed"](UNUSUAL))
    for i, source in enumerate([*OTHERS, RIGHT]):
        submit(course, ASSIGNMENT, f"other{i}", source)
    (course / "submitted" / "other0" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb").write_text("{")
    (opened,) = open_assignments(CourseGrader(read_config(course)), [ASSIGNMENT])
    lines = write_similar(tmp_path / "new" / "alike.html", opened, [])
    assert "shows 1 of the pairs among 10 submissions: a hint, never a mark" in lines[0]
    assert lines[1].startswith("  <i>bela and ada: ")
    assert lines[2:] == ["  not compared: other0"]
    text = (tmp_path / "new" / "alike.html").read_text()
    page = Page(text)
    assert not {"script", "i", "img", "a"} & set(page.tags)
    assert "\x1b" not in text
    assert page.tags.count("pre") == 2
    assert "<i>bela" in page.all and "never a mark" in page.all
    assert any("</pre><script>alert(1)</script>" in line for line in page.marked)
    assert any("ladder" in line for line in page.marked)
    assert any("name_" in line for line in page.marked)
    before = text
    write_similar(tmp_path / "new" / "alike.html", opened, [])
    assert (tmp_path / "new" / "alike.html").read_text() == before
