"""What a hostile submission may put wherever text is asked for."""

from __future__ import annotations

MARKUP = ("[/]", "[/red]", "[bold", "[link=file:///etc/passwd]x[/link]", "[@click=x]", ":skull:")
CONTROL = (
    "\x1b[2J\x1b[31mred",
    "\x1b]0;title\x07",
    "\x9b2J",
    "a\rb",
    "\b\b\b",
    "\x00",
    "\u202etxt",
)
HTML = (
    "<script>alert(1)</script>",
    "\"' onmouseover=alert(1)",
    "</td></table>",
    "{{ 7*7 }}",
    "&lt;",
)
OTHER = ("\ud800", "=1+1", "%s {0} {x}", "\u2028", "n" * 5000)
TEXTS = (*MARKUP, *CONTROL, *HTML, *OTHER)
