"""Reports for readers: text for terminals, HTML without JavaScript for notebooks."""

from __future__ import annotations

from autograder.render.card import html_card as html_card
from autograder.render.text import criterion_text as criterion_text
from autograder.render.text import text_card as text_card
from autograder.render.words import remark as remark
