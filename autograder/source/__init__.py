"""What the source of a submission says, read by trusted code: nothing of it is run or imported.

    read_source    the cells, parsed once: what each statement binds, reads now, reads later
    make_slice     the statements that the entry points need, as bound where their check stands
    prove_slice    a proof that the slice is pure, or the first line that is not proved, and why
    plan           what runs for each exercise of a notebook

**What is proved.** The slice, run by itself, gives entry points whose results depend on their
arguments alone, in whatever order they are called, and that change nothing that was there before
the call. Then no experiment needs to be run. Where the entry point is one jitted function and no
function of the slice makes another, `criteria/compilations/proved.py` counts its programs.

**How.** Each expression has one abstract value (`known_values`, `evaluation`), each kind of node
one rule (`computation`), and what is not named is not proved (`grammar`).

* A name means what Python's scopes say (`scopes`). What a function reads gets no other value later,
  and no line of the notebook changes its object or gives it to what may change it.
* What a library's name leaves out writes, reads what changes (clocks, files, settings, identities,
  random state), or calls back into Python.
* A call changes only what it has made, by the local name that it gave it, or what JAX has made for
  it: jit and JAX's loops rebuild the containers and objects that they give to a function.
* An array of NumPy is not changed once it was given away: JAX may use its memory.
* An iterator is used up where it is made; a set is only asked. Neither is kept or passed on.
* What differs between a value and its tracer is not asked: types of numbers, texts, identities.
* A class is plain data. What jit compares of its objects, aux data and static fields, is plain or
  the caller's, and does not change. A method that changes `self` is called on new objects only.
* Options of jit that write files or give arguments away are not proved.

**What is not proved,** though it may be right: `try`, `yield`, `nonlocal`, classes in
functions, caches, donation, references (`jax.new_ref`), own `__eq__` and `__hash__`, containers
that an inner function fills, texts but for those of errors. It is observed instead. Nor does a
proof say that outputs are right, that a call ends, or what a jitted function does where jit is
switched off. It is about the slice: where the whole notebook is run, its other cells may do
anything.

Whatever the text, there is an answer and no exception. A text that is too long or nests too deeply
is not proved. The longest texts take a few seconds: read them in a process with a limit.
"""

from autograder.source.cells_read import Place as Place
from autograder.source.cells_read import read_source as read_source
from autograder.source.jit_options import JittedFunction as JittedFunction
from autograder.source.proof import SourceProof as SourceProof
from autograder.source.proof import prove_cells as prove_cells
from autograder.source.runs import PlannedRun as PlannedRun
from autograder.source.runs import plan as plan
from autograder.source.slicing import make_slice as make_slice
