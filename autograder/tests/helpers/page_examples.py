"""The examples of a page: a test file, and below it what pytest prints for it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

_FENCE = re.compile(r"^```(python|console)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_SECONDS = re.compile(r" *\d+\.\d\d ?s")


@dataclass(frozen=True)
class Example:
    """A command of the page, the test file that it runs, and what the page shows."""

    file: str
    source: str
    command: str
    shown: str


def read_examples(page: str) -> list[Example]:
    """Return the examples of a page in Markdown, in their order.

    A block of Python that begins with `# test_NAME.py` is a file; a console block below it has a
    command and what it prints.
    """
    examples, file, source = [], "", ""
    for language, text in _FENCE.findall(page):
        first, _, rest = text.partition("\n")
        if language == "python":
            file, source = first.removeprefix("# "), text
        else:
            examples.append(Example(file, source, first.removeprefix("$ "), rest))
    return examples


def with_outputs(page: str, run: Callable[[Example], str]) -> str:
    """Return a page that shows what `run` gives for each of its examples."""
    for example in read_examples(page):
        head = f"```console\n$ {example.command}\n"
        at = page.index(head + example.shown + "```", page.index(f"# {example.file}\n"))
        end = at + len(head + example.shown)
        page = page[:at] + head + run(example) + page[end:]
    return page


def without_times(text: str) -> str:
    """Return what is printed but for times, and for how wide the lines are that show them."""
    return re.sub(r"={3,}", "===", _SECONDS.sub(" 0.00 s", text))
