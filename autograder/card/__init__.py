"""A report for the eye: text for terminals, HTML without JavaScript for notebooks."""

from __future__ import annotations

from autograder.card.page import html_card as html_card
from autograder.card.text import criterion_text as criterion_text
from autograder.card.text import text_card as text_card
from autograder.card.words import remark as remark
