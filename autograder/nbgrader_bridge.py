"""nbgrader plug-ins, named in the config that `autograder course` writes."""

from __future__ import annotations

from nbgrader.preprocessors import ClearSolutions

from autograder.authoring import put_starter


class PutStarters(ClearSolutions):
    """In place of nbgrader's ClearSolutions: releases broken starter code, not an empty stub."""

    def preprocess_cell(self, cell, resources, cell_index):
        if cell.metadata.get("nbgrader", {}).get("solution"):
            cell.source = put_starter(cell.source)
        return cell, resources
