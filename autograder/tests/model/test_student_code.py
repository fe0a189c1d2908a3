"""Nothing reaches the screen while a student's code is probed, whoever writes."""

import os
import sys
import warnings

from autograder.model.student_code import quiet


def test_python_and_below_are_silent_and_come_back(capfd):
    with quiet():
        print("printed")
        print("complained", file=sys.stderr)
        warnings.warn("warned", stacklevel=1)
        os.write(2, b"from below\n")
    os.write(2, b"after\n")
    assert capfd.readouterr() == ("", "after\n")
