"""Releasing: broken starter code where nbgrader would put an empty stub."""

from __future__ import annotations

from nbgrader.preprocessors import ClearSolutions

from autograder.lessons.authoring import release_cell


class PutStarters(ClearSolutions):
    """In place of nbgrader's ClearSolutions: releases broken starter code, not an empty stub."""

    def preprocess_cell(self, cell, resources, cell_index):
        if cell.metadata.get("nbgrader", {}).get("solution"):
            cell.source = release_cell(cell)
        return cell, resources
