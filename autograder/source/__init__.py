"""Reads what a submission says, without running it."""

from autograder.source.cells_read import Place as Place
from autograder.source.cells_read import SourceText as SourceText
from autograder.source.cells_read import read_source as read_source
from autograder.source.proof import SourceProof as SourceProof
from autograder.source.proof import prove_cells as prove_cells
from autograder.source.proof import prove_slice as prove_slice
from autograder.source.slicing import Slice as Slice
from autograder.source.slicing import Unproved as Unproved
from autograder.source.slicing import make_slice as make_slice
