"""The pages about messages: one for each error, one for each rule, and one on compiling again."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib import metadata
from typing import NamedTuple

from autograder.criteria.compilations.messages import REPAIRS
from autograder.judge.client import Judge
from autograder.lessons.examples import Example, recompilations, rule_examples, whole_code
from autograder.lessons.layouts import fill_in_page
from autograder.lessons.lesson import Lesson, LessonError
from autograder.lessons.rule_pages import RulePage, lessons_about, rule_groups, rule_pages
from autograder.lessons.site.running import check_code, names_rule, run_codes
from autograder.model.error_table import ERRORS, IndexRow
from autograder.model.report import Report
from autograder.render.words import message_of
from autograder.sandbox import PlainWorkers, Zygotes

WRONG_EXAMPLE = (
    "the example of {rule} in rules.toml does not bring it up, or its repair does not pass: see "
    "autograder/tests/lessons/test_examples.py"
)
COLUMNS = 76
"""Of a page's box of code."""
LONGEST_TITLE = 110
"""Characters of a page's title."""
ADDRESS = re.compile(r"0x[0-9a-f]{6,}")


class Ran(NamedTuple):
    """What the broken code of an example showed, and what the repaired code did."""

    broken: str
    repaired: str


def error_slug(row: IndexRow) -> str:
    """Return the name of the page about a message.

    >>> row = IndexRow("TypeError", "scan body output must be a pair", [], "", "", "")
    >>> error_slug(row)
    'typeerror-scan-body-output-must-be-a-pair'
    """
    words = re.findall(r"[a-z0-9]+", f"{row.error} {row.says}".lower())
    return "-".join(words)[:80].rstrip("-")


def listed_rows() -> list[tuple[str, IndexRow]]:
    """Return the messages of the index, each with the name of its entry in the table of errors."""
    return [(name, row) for name, entry in ERRORS.items() for row in entry.listed]


def run_examples() -> dict[Example, Ran]:
    """Run the codes that are run as they stand: of errors, and about compiling again."""
    examples = [Example(row.example, row.repaired) for _, row in listed_rows()]
    examples += [e for e in rule_examples().values() if not e.rubric]
    examples += recompilations().values()
    codes = [whole_code(code) for e in examples for code in (e.broken, e.repaired)]
    shown = run_codes(codes)
    return {
        example: Ran(_clean(broken.raised), _clean(repaired.raised or repaired.value))
        for example, broken, repaired in zip(examples, shown[::2], shown[1::2], strict=True)
    }


def _clean(text: str) -> str:
    return ADDRESS.sub("0x...", text).strip()


def check_examples(
    judges: Sequence[Judge], workers: Zygotes | PlainWorkers
) -> dict[str, tuple[Report, Report]]:
    """Check the examples of rules, broken and repaired, as many at a time as there are judges."""
    examples = {r: e for r, e in rule_examples().items() if e.rubric and not e.not_run}
    free = list(judges)

    def check(example: Example) -> tuple[Report, Report]:
        judge = free.pop()
        try:
            checked = partial(check_code, judge=judge, workers=workers)
            return (
                checked(example.broken, example.rubric),
                checked(example.repaired, example.repaired_rubric),
            )
        finally:
            free.append(judge)

    with ThreadPoolExecutor(len(judges)) as pool:
        return dict(zip(examples, pool.map(check, examples.values()), strict=True))


def write_pages(
    lessons: Sequence[Lesson],
    ran: Mapping[Example, Ran],
    checked: Mapping[str, tuple[Report, Report]],
) -> dict[str, str]:
    """Return the Markdown of all pages about messages, by the name of their file."""
    rules, titles, pages = rule_pages(), dict[str, str](), dict[str, str]()

    def known(names: Iterable[str]) -> list[Lesson]:
        return [by_name[name] for name in names if name in by_name]

    by_name = {lesson.name: lesson for lesson in lessons}
    rows = sorted(listed_rows(), key=lambda pair: (pair[1].error, pair[1].says.lower()))
    for name, row in rows:
        example, rule = Example(row.example, row.repaired), ERRORS[name].rule
        pages[f"errors/{error_slug(row)}.md"] = _page(
            "error.md",
            row=row,
            rule=rule if rule in rules else "",
            example=example,
            shown=ran[example],
            lessons=known(row.lessons),
            jax=f"jax {metadata.version('jax')}",
        )
    for rule, page in rules.items():
        example = rule_examples()[rule]
        is_run = not example.rubric
        shown = ran[example] if is_run else _checked(rule, page, checked.get(rule))
        titles[rule] = title = _title(page, example, shown)
        alike = [row for _, row in listed_rows() if is_run and row.says in shown.broken]
        alike = alike or list(ERRORS[rule].listed if rule in ERRORS else ())
        pages[f"rules/{rule}.md"] = _page(
            "rule.md",
            rule=rule,
            # The message is the title of its own page.
            title=rule if alike and is_run else f"{rule}: {title}",
            page=page,
            example=example,
            shown=shown,
            alike=alike,
            lessons=known(lessons_about(rule)),
        )
    return {
        **pages,
        "errors/index.md": _page(
            "error_index.md",
            rows=[row for _, row in rows],
            names=sorted(error_slug(row) for _, row in rows),
        ),
        "rules/index.md": _page("rule_index.md", groups=rule_groups(), titles=titles),
        "compiles-again.md": _recompilations_page(ran),
    }


def _checked(rule: str, page: RulePage, reports: tuple[Report, Report] | None) -> Ran:
    """Return what checking the example of a rule shows; nothing where it is not run."""
    if reports is None:
        return Ran("", "")
    broken, repaired = reports
    if not names_rule(broken, rule) or repaired.earned < repaired.possible:
        raise LessonError(WRONG_EXAMPLE.format(rule=rule))
    names = ", ".join(criterion.name for criterion in repaired.criteria)
    return Ran(_clean(_reported(broken, rule, page)), f"{names}: passed")


def _reported(report: Report, rule: str, page: RulePage) -> str:
    """Return what a card says by a rule, without the cause and the fix that the page has."""
    lines: list[str] = []
    for criterion in report.criteria:
        about = [f for f in criterion.findings if rule in (f.rule, criterion.reason)]
        for finding in about:
            where = f"line {finding.line}: {finding.code}" if finding.line else ""
            message = message_of(finding)
            for known in (f"{page.cause} {page.fix}", page.cause, page.fix):
                message = message.replace(known, "") if known else message
            kept = [m for m in message.splitlines() if m.strip() not in ("", "Why:", "Repair:")]
            shown = "\n".join([where, *map(_wrap, kept)] if where else map(_wrap, kept))
            lines += [] if shown in lines else [shown]
    return "\n".join(lines)


def _wrap(line: str) -> str:
    return textwrap.fill(line, COLUMNS, subsequent_indent=" " * (len(line) - len(line.lstrip())))


def _unqualified(raised: str) -> str:
    """Return an exception as Python prints it, without the module of its class."""
    return re.sub(r"^(\w+\.)+(?=\w+: )", "", raised)


def _message(row: IndexRow) -> str:
    return f"{row.error}: {row.says}"


def _python(code: str) -> str:
    """Return an example as a block of Markdown, so that it runs as it stands."""
    return f"```python\n{whole_code(code)}\n```"


_page = partial(fill_in_page, slug=error_slug, message=_message, python=_python)


def _title(page: RulePage, example: Example, shown: Ran) -> str:
    """Return what a rule is about: what was found, or the message of the error."""
    if example.rubric:
        return example.title or first_sentence(page.cause)
    raised = _unqualified(shown.broken).splitlines() or [first_sentence(page.cause)]
    return textwrap.shorten(raised[0], LONGEST_TITLE, placeholder=" ...")


def first_sentence(text: str) -> str:
    """Return the first sentence of a text, without its full stop.

    >>> first_sentence("A cell raised an error. Fix it.")
    'A cell raised an error'
    """
    return re.split(r"(?<=[\w`)])[.:] ", text, maxsplit=1)[0].rstrip(".").replace("`", "")


def _recompilations_page(ran: Mapping[Example, Ran]) -> str:
    causes = []
    for cause, example in recompilations().items():
        why, _, advice = REPAIRS.get(cause, "").partition("; ")
        raised = _unqualified(ran[example].broken).splitlines()
        causes.append((example, why, advice, "\n".join(map(_wrap, raised))))
    return _page("compiles-again.md", causes=causes)
