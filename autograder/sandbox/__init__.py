"""Workers: processes that run a student's cells. What they report is untrusted.

A learner's is a plain child process (`plain_client`), the same on every system.

An instructor's are confined, on Linux. Two zygotes, processes that have imported JAX but started no
backend, wait for work. For each submission they fork a worker, which is confined (`confinement`,
`namespaces`) and watched (`keeper`).
"""

from autograder.sandbox.attempt import NOT_READ as NOT_READ
from autograder.sandbox.attempt import Attempt as Attempt
from autograder.sandbox.attempt import Calls as Calls
from autograder.sandbox.confinement import Protection as Protection
from autograder.sandbox.confinement import protection as protection
from autograder.sandbox.keeper import Limits as Limits
from autograder.sandbox.plain_client import PlainWorkers as PlainWorkers
from autograder.sandbox.plain_client import shared_workers as shared_workers
from autograder.sandbox.worker_answers import Processes as Processes
from autograder.sandbox.zygote_client import Zygotes as Zygotes
from autograder.sandbox.zygote_client import shared_zygotes as shared_zygotes
