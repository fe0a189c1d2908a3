"""Deep snapshots of everything a student's function can reach, and the way back.

A snapshot maps paths (`counts['a']`, `step.<closure n>`, `model.w`) to tokens. Containers,
arrays, closures, defaults, classes and instances of the student's are walked; library objects
only as far as they hold something of the student's.
"""

from autograder.criteria.purity.state.reach import snapshot as snapshot
from autograder.criteria.purity.state.reach import snapshot_arguments as snapshot_arguments
from autograder.criteria.purity.state.reach import snapshot_values as snapshot_values
from autograder.criteria.purity.state.reading import instance_dict as instance_dict
from autograder.criteria.purity.state.snapshots import Change as Change
from autograder.criteria.purity.state.snapshots import Snapshot as Snapshot
from autograder.criteria.purity.state.snapshots import changes as changes
from autograder.criteria.purity.state.snapshots import inside as inside
