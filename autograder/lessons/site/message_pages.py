"""The pages about messages: one for each error, one for each rule, and one on compiling again."""

from __future__ import annotations

import itertools
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
from autograder.lessons.lesson import Lesson, LessonError
from autograder.lessons.rule_pages import RulePage, lessons_about, rule_pages
from autograder.lessons.site.running import Printed, check_code, names_rule, run_codes
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
        example: Ran(_clean(broken.raised), _clean(_value(repaired)))
        for example, broken, repaired in zip(examples, shown[::2], shown[1::2], strict=True)
    }


def _value(shown: Printed) -> str:
    return shown.raised or shown.value


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
    by_name = {lesson.name: lesson for lesson in lessons}
    rules, rows, titles = rule_pages(), listed_rows(), dict[str, str]()
    pages = {
        "errors/index.md": _error_index(rows),
        "compiles-again.md": _recompilations_page(ran),
    }
    for name, row in rows:
        shown = ran[Example(row.example, row.repaired)]
        pages[f"errors/{error_slug(row)}.md"] = _error_page(name, row, shown, by_name)
    for rule, page in rules.items():
        example = rule_examples()[rule]
        if not example.rubric:
            shown = ran[example]
        elif rule in checked:
            broken, repaired = checked[rule]
            if not names_rule(broken, rule) or repaired.earned < repaired.possible:
                raise LessonError(WRONG_EXAMPLE.format(rule=rule))
            shown = Ran(_clean(_said(broken, rule, page)), _passes(repaired))
        else:
            shown = Ran("", "")
        titles[rule] = _title(page, example, shown)
        text = _rule_page(rule, page, titles[rule], example, shown, by_name)
        pages[f"rules/{rule}.md"] = text
    return {**pages, "rules/index.md": _rule_index(rules, titles)}


def _said(report: Report, rule: str, page: RulePage) -> str:
    """Return what a card says by a rule, without the cause and the fix that the page has."""
    lines: list[str] = []
    for criterion in report.criteria:
        about = [f for f in criterion.findings if rule in (f.rule, criterion.reason)]
        for finding in about:
            where = f"line {finding.line}: {finding.code}" if finding.line else ""
            message = message_of(finding)
            for known in (f"{page.cause} {page.fix}", page.cause, page.fix):
                message = message.replace(known, "") if known else message
            told = [m for m in message.splitlines() if m.strip() not in ("", "Why:", "Repair:")]
            shown = "\n".join([where, *map(_wrap, told)] if where else map(_wrap, told))
            lines += [] if shown in lines else [shown]
    return "\n".join(lines)


def _wrap(line: str) -> str:
    return textwrap.fill(line, COLUMNS, subsequent_indent=" " * (len(line) - len(line.lstrip())))


def _passes(report: Report) -> str:
    names = [criterion.name for criterion in report.criteria]
    return f"{', '.join(names)}: passed"


def _unqualified(raised: str) -> str:
    """Return an exception as Python prints it, without the module of its class."""
    return re.sub(r"^(\w+\.)+(?=\w+: )", "", raised)


def _escape(text: str) -> str:
    """Return text as Markdown that shows it as it is."""
    return re.sub(r"([\\`*_<>\[\]$])", r"\\\1", text)


def _fence(text: str, language: str = "text") -> str:
    return f"```{language}\n{text}\n```"


def _code(example: Example, shown: Ran, said: str) -> list[str]:
    """Return the sections with the code of an example, and what it shows."""
    if not example.broken:
        return [f"*There is no example. {example.not_run}*"]
    parts = [
        "## Code that raises it" if not example.rubric else "## Code that breaks it",
        _fence(whole_code(example.broken), "python"),
    ]
    parts += [said, _fence(shown.broken)] if shown.broken else []
    parts += ["## The same code, repaired", _fence(whole_code(example.repaired), "python")]
    parts += [_fence(shown.repaired)] if shown.repaired else []
    parts += [f"*This code is not run. {example.not_run}*"] if example.not_run else []
    return parts


def _lessons(names: Iterable[str], lessons: Mapping[str, Lesson]) -> list[str]:
    known = [lessons[name] for name in names if name in lessons]
    if not known:
        return []
    lines = [
        f"- [{lesson.number}. {lesson.name}](../exercises/{lesson.notebook_name}): "
        f"{lesson.rubric.learned}"
        for lesson in known
    ]
    return ["## Lessons that practise this", "\n".join(lines)]


def _error_page(name: str, row: IndexRow, shown: Ran, lessons: Mapping[str, Lesson]) -> str:
    rule = ERRORS[name].rule
    here = f"jax {metadata.version('jax')}"
    versions = f"The output above is from {here}."
    if row.newer:
        old, new = row.says, row.newer
        now = old if old in shown.broken else new
        versions = f"Some versions of JAX say `{old}`, newer ones `{new}`; {here} says `{now}`."
    return _join(
        f"# {_escape(f'{row.error}: {row.says}')}",
        row.cause,
        *_code(Example(row.example, row.repaired), shown, "It raises:"),
        *_lessons(row.lessons, lessons),
        "## Versions of JAX",
        versions,
        f"In the kit's exercises, this is the rule [`{rule}`](../rules/{rule}.md)."
        if rule in rule_pages()
        else "",
    )


def _title(page: RulePage, example: Example, shown: Ran) -> str:
    """Return what a rule is about: what was found, or the message of the error."""
    if example.rubric:
        return example.title or first_sentence(page.cause)
    raised = _unqualified(shown.broken).splitlines() or [first_sentence(page.cause)]
    return textwrap.shorten(raised[0], LONGEST_TITLE, placeholder=" ...")


def _rule_page(
    rule: str,
    page: RulePage,
    title: str,
    example: Example,
    shown: Ran,
    lessons: Mapping[str, Lesson],
) -> str:
    entry = ERRORS.get(rule)
    alike = [row for _, row in listed_rows() if not example.rubric and row.says in shown.broken]
    alike = alike or list(entry.listed if entry else ())
    # The message is the title of its own page.
    title = rule if alike and not example.rubric else f"{rule}: {title}"
    links = [f"- [{_escape(f'{r.error}: {r.says}')}](../errors/{error_slug(r)}.md)" for r in alike]
    again = rule in ("compiled-again", "too-many-compilations")
    return _join(
        f"# {_escape(title)}",
        f"A rule of the autograder ([{page.group}](index.md#{page.group.replace(' ', '-')})).",
        page.cause,
        page.fix,
        "All causes, with code: [Why jit compiles again](../compiles-again.md)." if again else "",
        *_code(example, shown, "The check says:" if example.rubric else "It raises:"),
        *(["## The message", "\n".join(links)] if links else []),
        *_lessons(lessons_about(rule), lessons),
    )


def first_sentence(text: str) -> str:
    """Return the first sentence of a text, without its full stop.

    >>> first_sentence("A cell raised an error. Fix it.")
    'A cell raised an error'
    """
    return re.split(r"(?<=[\w`)])[.:] ", text, maxsplit=1)[0].rstrip(".").replace("`", "")


def _error_index(rows: Sequence[tuple[str, IndexRow]]) -> str:
    lines = [
        f"| [{_escape(row.error)}](./{error_slug(row)}.md) | "
        f"[`{row.says}`](./{error_slug(row)}.md) |"
        for _, row in sorted(rows, key=lambda pair: (pair[1].error, pair[1].says.lower()))
    ]
    return _join(
        "# JAX errors",
        "Look for a part of your message, here or with the search. Each page says the cause, shows "
        "the smallest code that raises the error, repairs it, and names the lessons that practise "
        "it. An error that is not in this table may be among the [rules](../rules/index.md).",
        "Where nothing fails, but `jit` compiles again and again, see "
        "[the causes, with code](../compiles-again.md).",
        "\n".join(["| error | message |", "| --- | --- |", *lines]),
        _hidden_toctree(sorted(error_slug(row) for _, row in rows)),
    )


def _rule_index(rules: Mapping[str, RulePage], titles: Mapping[str, str]) -> str:
    parts = [
        "# Rules of the autograder",
        "The autograder's card names the rule of each finding. In a terminal, `autograder explain "
        "RULE` shows the same page.",
    ]
    for group, of_group in itertools.groupby(rules.items(), lambda pair: pair[1].group):
        lines = [
            f"| [{rule}](./{rule}.md) | {_escape(titles[rule]).replace('|', chr(92) + '|')} |"
            for rule, _ in sorted(of_group)
        ]
        parts += [f"## {group[0].upper()}{group[1:]}"]
        parts += ["\n".join(["| rule | what it found |", "| --- | --- |", *lines])]
    return _join(
        *parts, _hidden_toctree(["/compiles-again", *(f"{one} <{one}>" for one in sorted(rules))])
    )


def _recompilations_page(ran: Mapping[Example, Ran]) -> str:
    parts = [
        "# Why jit compiles again",
        "`jax.jit` keeps one compiled program for each combination of the function object, the "
        "structure of the arguments (a list is another structure than a tuple), their shapes and "
        "dtypes, the values of static arguments, and some options. When one of these differs, it "
        "recompiles: it traces and compiles again. Here are common causes: code that compiles "
        "twice, what the kit's [`compiles`](compiles.md) reports, and a repair.",
    ]
    for cause, example in recompilations().items():
        shown = ran[example]
        why, _, advice = REPAIRS.get(cause, "").partition("; ")
        parts += [
            f"## {example.title}",
            f"Why: {_escape(why)}. To avoid it, {_escape(advice)}." if why else "",
            _fence(whole_code(example.broken), "python"),
            _fence("\n".join(_wrap(line) for line in _unqualified(shown.broken).splitlines())),
            "Repaired:",
            _fence(whole_code(example.repaired), "python"),
        ]
    return _join(*parts)


def _hidden_toctree(entries: Iterable[str]) -> str:
    return "\n".join(["```{toctree}", ":hidden:", "", *entries, "```"])


def _join(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part) + "\n"
