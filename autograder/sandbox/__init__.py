"""Workers: confined processes that run a student's cells and say what they saw. Untrusted.

Two processes that have JAX imported, and no backend started, wait for work and are forked for each
submission (`zygote`); the fork is confined (`confine`) and watched (`keeper`).
"""

from autograder.sandbox.confinement import Protection as Protection
from autograder.sandbox.confinement import protection as protection
from autograder.sandbox.limits import Limits as Limits
from autograder.sandbox.observing import observe_cells as observe_cells
from autograder.sandbox.zygotes import Zygotes as Zygotes
from autograder.sandbox.zygotes import shared_zygotes as shared_zygotes
