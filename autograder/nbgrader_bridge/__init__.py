"""nbgrader plug-ins, named in the config that `autograder course` writes.

Plain `nbgrader autograde`, `NbGraderAPI` and formgrader's button all grade through them.
"""

from autograder.classroom.nbgrader.execute import GradeIsolated as GradeIsolated
from autograder.classroom.nbgrader.exporter import TolerantExporter as TolerantExporter
from autograder.classroom.nbgrader.save import SaveMarks as SaveMarks
from autograder.classroom.nbgrader.starters import PutStarters as PutStarters
