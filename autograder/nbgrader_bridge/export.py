"""Public name of `nbgrader export --exporter`: see `autograder.classroom.nbgrader.export`."""

from autograder.classroom.nbgrader.export import CriteriaExport as CriteriaExport
