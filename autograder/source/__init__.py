"""What the source of a submission says, read by trusted code: nothing of it is run or imported.

    read_source    the cells, parsed once: what each statement binds, reads now, reads later
    make_slice     the statements that the entry points need, as bound where their check stands
    prove_slice    a proof that the slice is pure, or the first line that is not proved, and why
    find_jitted    an entry point that is one jitted function, bound once at the top
    count_programs how many programs some calls of it compile

**What is proved.** The slice, run by itself, gives entry points whose results depend on their
arguments alone, traced or not, in whatever order they are called, and that change nothing that was
there before the call. Then no experiment needs to be run. The entry point's programs are counted
where it is one jitted function and no function of the slice makes another.

**How.** A positive grammar: what is not named is not proved.

* A name means what Python's symbol tables say it means. A function of the slice reads a global
  only if no line of the notebook gives it another value, or changes its object, afterwards.
* A library's name is known by the module it comes from (`grammar`). What is left out writes, reads
  what changes (clocks, files, settings, identities, random state), or calls back into Python.
* A call changes only what it has made, by the local name that it gave it (`freshness`). So a
  default, a closure, a global, an argument, or part of one is never changed.
* An iterator is used up where it is made; a set is only asked. Neither is kept or passed on.
* A function of NumPy is called where it stands, with no array to write to, and its data type is
  written out: some types read the clock.
* What differs between a value and its tracer is not asked: types of numbers, texts, identities.
* A class is plain data: its methods read `self`, its `__init__` assigns, and jit compares its
  objects as Python does by itself. A static `self` is a constant, and is not proved.
* Options of jit that write files or give arguments away are not proved.

**What is not proved,** though it may be right: `try`, `yield`, `nonlocal`, classes in functions,
caches, donation, references (`jax.new_ref`), methods that change `self` and are called on what jit
rebuilt, containers that an inner function fills, texts but for those of errors. It is observed
instead. Nor does a proof say that outputs are right, that a call ends, or that jit accepts the aux
data of a class. It is about the slice: where the whole notebook is run, its other cells may do
anything.

Whatever the text, there is an answer and no exception. A text that is too long or nests too deeply
is not proved. The longest texts take a few seconds: read them in a process with a limit.
"""

from autograder.source.cells_read import Place as Place
from autograder.source.cells_read import SourceText as SourceText
from autograder.source.cells_read import read_source as read_source
from autograder.source.jit_options import JittedFunction as JittedFunction
from autograder.source.program_counts import CallOfEntry as CallOfEntry
from autograder.source.program_counts import count_programs as count_programs
from autograder.source.program_counts import find_jitted as find_jitted
from autograder.source.proof import SourceProof as SourceProof
from autograder.source.proof import prove_cells as prove_cells
from autograder.source.proof import prove_slice as prove_slice
from autograder.source.slicing import Slice as Slice
from autograder.source.slicing import Unproved as Unproved
from autograder.source.slicing import make_slice as make_slice
