"""What the judge proves on programs: right results, one meaning everywhere, no unrolled loop.

Trusted: it runs in the judge's child, on what a worker has handed over. One module a criterion.
"""

from autograder.verdict.curve import draw_curve as draw_curve
from autograder.verdict.judging import Verdict as Verdict
from autograder.verdict.judging import judge as judge
from autograder.verdict.references import redraws_needed as redraws_needed
