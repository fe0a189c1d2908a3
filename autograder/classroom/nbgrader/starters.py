"""Replaces nbgrader's ClearSolutions: releases broken starter code instead of an empty stub."""

from __future__ import annotations

from nbgrader.preprocessors import ClearSolutions

from autograder.lessons.authoring import release_cell


class PutStarters(ClearSolutions):
    """Puts broken starter code in the place of each solution."""

    def preprocess_cell(self, cell, resources, cell_index):
        if cell.metadata.get("nbgrader", {}).get("solution"):
            cell.source = release_cell(cell)
        return cell, resources
