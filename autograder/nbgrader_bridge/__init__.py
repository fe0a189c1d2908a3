"""nbgrader plug-ins, named in the config that `autograder course` writes.

Plain `nbgrader autograde`, `NbGraderAPI` and formgrader's button all grade through them.
"""

from autograder.nbgrader_bridge.execute import GradeIsolated as GradeIsolated
from autograder.nbgrader_bridge.exporter import TolerantExporter as TolerantExporter
from autograder.nbgrader_bridge.save import SaveMarks as SaveMarks
from autograder.nbgrader_bridge.starters import PutStarters as PutStarters
