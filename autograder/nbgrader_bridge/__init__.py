"""nbgrader plug-ins, named in the config that `autograder course` writes.

Plain `nbgrader autograde`, `NbGraderAPI` and formgrader's button all grade through them.
"""

from autograder.nbgrader_bridge.grade import GradeIsolated as GradeIsolated
from autograder.nbgrader_bridge.grade import PutStarters as PutStarters
from autograder.nbgrader_bridge.grade import TolerantExporter as TolerantExporter
from autograder.nbgrader_bridge.save import SaveMarks as SaveMarks
