"""Packs: lessons made ready for other platforms, Gradescope and GitHub, and what runs there."""
