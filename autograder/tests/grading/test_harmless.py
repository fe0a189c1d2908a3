"""Markdown from a submission, rendered as nbconvert renders it: nothing of it acts."""

from __future__ import annotations

import base64
import html
import re
import time
from html.parser import HTMLParser

import nbformat
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from nbconvert import HTMLExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from autograder.grading.harmless import MAX_TEXT, harmless
from autograder.grading.texts import KINDS, MAX_IMAGE_BYTES, NOTHING, keep_images
from autograder.tests.helpers.active_html import active_parts

PNG = NOTHING["image/png"]


def rendered(text: str, names=()) -> str:
    """As nbconvert's HTMLExporter renders a cell's Markdown."""
    images = {name: {"image/png": PNG} for name in names}
    renderer = IPythonRenderer(escape=False, attachments=images)
    return MarkdownWithMath(renderer=renderer).render(text)


def words(page: str) -> str:
    """What a reader sees."""
    seen: list[str] = []
    reader = HTMLParser()

    def keep(data: str) -> None:
        seen.append(data)

    reader.handle_data = keep
    reader.feed(page)
    reader.close()
    return "".join(seen)


ACTIVE = {
    "script": "<script>alert(1)</script>",
    "script in a block": "text\n\n<script>\nalert(1)\n</script>\n\nmore",
    "upper case": "<ScRiPt src=//x>",
    "iframe": "an <iframe src='javascript:alert(1)'></iframe>",
    "handler": "<img src=x onerror=alert(1)>",
    "handler, slashes": "<img/src=x/onerror=alert(1)>",
    "handler over lines": "<img src=x\nonerror=alert(1)>",
    "harmless tag with a handler": "<b onmouseover=alert(1)>hi</b>",
    "svg": "<svg onload=alert(1)>",
    "style": "<style>*{display:none}</style>",
    "form": "<form action=/x><button>go</button></form>",
    "field of formgrader's": "<input class=score name=x>",
    "base": "<base href=//x>",
    "meta": "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
    "unclosed": "<img src=x onerror=alert(1) ",
    "unclosed, then a line": "<img src=x onerror=alert(1)\n\n>",
    "comment": "<!-- --><script>alert(1)</script>",
    "cdata": "<![CDATA[<script>alert(1)</script>]]>",
    "instruction": "<?x <script>alert(1)</script>?>",
    "declaration": "<!DOCTYPE x [<script>alert(1)</script>]>",
    "behind a backslash": "\\\\<script>alert(1)</script>",
    "behind three": "\\\\\\<b>\\\\<script>alert(1)</script>",
    "code that is none": "`<script>alert(1)</script>",
    "code that ends before": "`a`<script>alert(1)</script>`b`",
    "uneven ticks": "``<script>alert(1)</script>`",
    "tag before tick": '<a title="`"><script>alert(1)</script>`',
    "mathematics that is none": "\\$<script>alert(1)</script>\\$",
    "one dollar": "costs $5 <script>alert(1)</script>",
    "in a list": "* a\n\n  <script>alert(1)</script>",
    "in a quote": "> <script>alert(1)</script>",
    "in a heading": "# <img src=x onerror=alert(1)>",
    "in a table": "|a|b|\n|-|-|\n|<img src=x onerror=alert(1)>|`|`|",
    "in a link's text": "[<img src=x onerror=alert(1)>](http://x)",
    "in a image's text": '![" onerror="alert(1)](x)',
    "in a title": "[a](http://x '\"onmouseover=\"alert(1)')",
    "in an address": '[a](http://x"onmouseover="alert(1))',
    "link": "[a](javascript:alert(1))",
    "link, upper case": "[a](JaVaScript:alert(1))",
    "link, entity": "[a](java&#115;cript:alert(1))",
    "link, entity of the colon": "[a](javascript&colon;alert(1))",
    "link, backslash": "[a](javascript\\:alert(1))",
    "link, space": "[a](< javascript:alert(1)>)",
    "link, control character": "[a](<\x01javascript:alert(1)>)",
    "link by reference": "[a]\n\n[a]: javascript:alert(1)",
    "link to data": "[a](data:text/html;base64,PHNjcmlwdD4=)",
    "link to vbscript": "[a](vbscript:x)",
    "angle link": "<javascript:alert(1)>",
    "image": "![a](javascript:alert(1))",
    "image of data": "![a](data:image/svg+xml;base64,PHN2Zz4=)",
    "diagram": "```mermaid\n<img src=x onerror=alert(1)>\n```",
    "diagram, tildes": "~~~mermaid\n<img src=x onerror=alert(1)>\n~~~",
    "diagram, entity": "```&#109;ermaid\n<img src=x onerror=alert(1)>\n```",
    "language of a block": '```x"><script>alert(1)</script>\na\n```',
    "block that is not closed": "```\n<b>\n```\n<script>alert(1)</script>",
    "block closed by another": "~~~\n```\n~~~\n<script>alert(1)</script>\n```",
    "mathematics over a block": "$$\n```\n$$\n<script>alert(1)</script>\n```",
    "environment": "\\begin{a}\\end{a}<script>alert(1)</script>",
    "our own marks": "\ue000<script>alert(1)</script>`\ue000\ue001`",
    "carriage return": "a\r<script>alert(1)</script>",
    "form feed": "\x0c<script>alert(1)</script>",
    "no character": "<\x00script>alert(1)</script>",
    "nested quotes": ">" * 3000 + "<script>alert(1)</script>",
    "long": "<script>alert(1)</script>" * 1000,
}


@pytest.mark.parametrize("source", ACTIVE.values(), ids=ACTIVE.keys())
def test_nothing_acts(source):
    made = harmless(source)
    page = rendered(made.text, made.images)
    assert not active_parts(page), page
    assert made.images == ()


def test_the_table_holds_what_acts_in_nbconvert():
    """Most of the table acts when nothing is done; the rest tries what others mistake."""
    acting = [name for name, source in ACTIVE.items() if "nested" not in name]
    acting = [name for name in acting if active_parts(rendered(ACTIVE[name]))]
    assert len(acting) > 40
    assert {"script", "link", "diagram", "handler", "code that is none"} <= set(acting)


@pytest.mark.parametrize("command", ["href{javascript:alert(1)}{x}", "style{position:fixed}{x}"])
def test_mathjax_makes_no_link_and_no_style(command):
    shown = rendered(harmless(f"$\\{command}$").text)
    assert "<pre>" in shown  # which MathJax leaves alone
    assert not re.search(r"\$\\", re.sub(r"<pre>.*?</pre>", "", shown, flags=re.DOTALL))


READ = [
    "The friend's: no retracing.",
    "`x < y`",
    "`a<b>c` and `List<int>` and ``x<`y``",
    "$a<b$ and $x<y>z$",
    "$$\na<b\n$$",
    "\\begin{equation}a<b\\end{equation}",
    "x < y, 3<4 and a <- b",
    "```\n<script>not run</script>\n```",
    "```python\nif x<y: print('<b>')\n```",
    "    <b>indented</b>\n",
    "1. a\n\n   ```\n   <b>\n   ```",
    "**bold** _it_ [link](https://jax.dev/a?b=c#d) <https://jax.dev> <me@jax.dev> www",
    "![a](https://jax.dev/a.png) [b](other.ipynb) [c](#part) [d](mailto:me@jax.dev)",
    "| a | b |\n|:--|--:|\n| `x<y` | 1 |",
    "- [ ] one\n- [x] two\n\nterm\n: what\n\n> quoted\n\n---\n\n~~gone~~",
    "5 > 4 & 3 < 4; \\<b> is typed; &lt;b&gt;; [x] and x[i] and {a}",
    "Ünïcödé — 漢字 🙂",
]


@pytest.mark.parametrize("source", READ)
def test_what_is_harmless_is_left_as_it_is(source):
    made = harmless(source)
    assert made.text == source
    assert not made.is_changed


MIXED = {
    "<b>bold</b> and `x<y` and `a<b>c`": ["<b>bold</b>", "x<y", "a<b>c"],
    "line<br>break, $a<b$": ["line<br>break", "$a<b$"],
    "<div>\n\n```\nx<y>z\n```\n\n</div>": ["<div>", "x<y>z", "</div>"],
    "<i>x</i>\n\n    a<b>c\n": ["<i>x</i>", "a<b>c"],
    "* <u>one</u>\n* `two<v>`\n\n  ```\n  <w>\n  ```": ["<u>one</u>", "two<v>", "<w>"],
    "|a|b|\n|-|-|\n|<b>x</b>|`<c>`|": ["<b>x</b>", "<c>"],
    "\\<b> and <i>x</i>": ["<b>", "<i>x</i>"],
    "$$\na<b\n$$\n\n<hr>": ["a<b", "<hr>"],
    "\\begin{align}a<b\\end{align} <sub>i</sub>": ["a<b", "<sub>i</sub>"],
}


@pytest.mark.slow
@pytest.mark.parametrize("source", MIXED)
def test_beside_html_code_and_mathematics_read_as_typed(source):
    made = harmless(source)
    assert made.is_changed
    page = rendered(made.text)
    assert not active_parts(page)
    printed = words(page)
    for part in MIXED[source]:
        assert part in printed, page
    assert "\\<" not in printed
    assert not printed.startswith("```")  # still Markdown, not a block of what was typed


PARTS = [
    *("<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<b", ">", "</b>", "<", "<!--"),
    *("-->", "<?", "<![CDATA[", "]]>", "`", "``", "```", "~~~", "\n", "\n\n", "    ", "  ", "\t"),
    *(
        "$",
        "$$",
        "\\",
        "\\\\(",
        "\\\\)",
        "\\\\[",
        "\\\\]",
        "\\begin{a}",
        "\\end{a}",
        "[a]",
        "(",
        ")",
    ),
    *("](javascript:alert(1))", "[x](", "![x](", "attachment:p.png", '"', "'", "> ", "* ", "1. "),
    *("|", "|-|-|", "# ", "mermaid", "&lt;", "&#115;", "javascript:", "[a]: ", "\ue000", "\x0c"),
    *("=", "***", "_", "x", "http://y", "{", "}", "\r", ": ", "--- "),
]


@pytest.mark.slow
@settings(max_examples=400, deadline=None)
@example("# javascript:")  # its heading gets an id of the same text
@given(st.lists(st.sampled_from(PARTS), max_size=25).map("".join))
def test_nothing_that_is_put_together_acts(source):
    made = harmless(source)
    page = rendered(made.text, made.images)
    assert not active_parts(page), (source, page)
    renderer_made = harmless(made.text)
    assert active_parts(rendered(renderer_made.text, renderer_made.images)) == []


REPEATED = [
    *PARTS,
    "<a ",
    "*a ",
    "_a",
    "[a](",
    "[a][",
    "](",
    "~~a",
    "|a",
    "a\n: ",
    "[a]: b\n",
    "a\\",
]


@pytest.mark.parametrize("part", REPEATED)
def test_a_hostile_text_takes_no_time(part):
    began = time.process_time()
    harmless(part * (MAX_TEXT // len(part)))
    harmless(part * (30 * MAX_TEXT))
    assert time.process_time() - began < 8


def test_what_was_typed_can_still_be_read():
    source = "[press](javascript:alert(1)) and ```` ticks"
    page = rendered(harmless(source).text)
    assert source in words(page)
    assert html.escape(source, quote=False)[:7] in page


def image(kind: str, data: bytes = b"image") -> dict[str, str]:
    return {kind: base64.b64encode(data).decode()}


@pytest.mark.parametrize("kind", KINDS)
def test_pictures_are_kept(kind):
    assert keep_images({"a": image(kind)}, ["a"]) == ({"a": image(kind)}, [])


def test_pictures_are_found_by_their_escaped_name():
    """Markdown escapes what stands in an address; the attachment has the name that was typed."""
    made = harmless("![x](attachment:my%20own.png)")
    kept, dropped = keep_images({"my own.png": image("image/png")}, made.images)
    assert kept == {"my%20own.png": image("image/png")} and not dropped
    assert "data:image/png;base64," in rendered("![x](attachment:my%20own.png)", kept)


HOSTILE_PICTURES = {
    "svg": image("image/svg+xml", b"<svg onload=alert(1)>"),
    "html": image("text/html", b"<script>"),
    "kind with a quote": image('image/png"onerror="alert(1)'),
    "data with a quote": {"image/png": '" onerror="alert(1)'},
    "too large": image("image/png", bytes(MAX_IMAGE_BYTES + 1)),
    "much too large": {"image/png": "A" * (9 * MAX_IMAGE_BYTES)},
    "empty": {"image/png": ""},
    "no data": {},
    "a list": [],
    "numbers": {"image/png": 3},
    "nothing": None,
}


@pytest.mark.parametrize("data", HOSTILE_PICTURES.values(), ids=HOSTILE_PICTURES.keys())
def test_other_attachments_are_left_out_and_their_links_still_render(data):
    kept, dropped = keep_images({"a": data}, ["a"])
    assert dropped == ["a"]
    assert kept == {"a": NOTHING}


def test_a_picture_as_nbformat_may_keep_it():
    data = base64.b64encode(b"image").decode()
    lines = {"image/png": [data[:4] + "\n", data[4:]]}
    assert keep_images({"a": lines}, ["a"]) == ({"a": image("image/png")}, [])


def test_the_exporter_renders_as_these_tests_do():
    cell = nbformat.v4.new_markdown_cell(harmless(ACTIVE["diagram"] + "\n\n<b>x</b>").text)
    page, _ = HTMLExporter(template_name="basic").from_notebook_node(
        nbformat.v4.new_notebook(cells=[cell])
    )
    assert not active_parts(page)
    assert "&lt;img src=x" in page
