"""What instructors are told: courses, gradebooks, keys, and the machines that grade."""

OTHER_GRADER = (
    "another grader is at work in {course}. Wait until it is done, then run this again: what it "
    "has graded will not be graded twice."
)
NO_ASSIGNMENT = (
    "{course} has no assignment {assignment!r} of the kit: there is no "
    "source/{assignment}/{assignment}.ipynb. `autograder course` makes a course with all lessons."
)
NO_COURSE = (
    "{course} is no course folder: `autograder course {course}` makes one. (In the course folder "
    "itself, its path is `.`)"
)
NO_SUCH_FOLDER = (
    "Passed over, since no assignment has this name: {folders}. Rename what is misspelt, and run "
    "this again."
)
NOT_WRITABLE = (
    "{file} cannot be written ({error}). Mend that, then run the same command again: what is "
    "graded is kept."
)
NOTHING_HANDED_IN = "nobody has handed in {assignment!r}: submitted/*/{assignment} does not exist."
NOTHING_AT_ALL = "nobody has handed in anything of the kit: see {course}/submitted."
DISK_FULL = (
    "the disk that holds {course} is full ({error}). Make space, then run the same command again: "
    "what is graded is kept, and whoever was being recorded is recorded anew."
)
NO_GRADEBOOK = "the gradebook {url} cannot be used: {error}"
NO_DRIVER = (
    ". For PostgreSQL: pip install 'psycopg[binary]', and a URL that begins with "
    "postgresql+psycopg://"
)
OLD_SOURCE = (
    "{course}/source/{assignment} was made with another rubric: `{cell}` has {old:g} points there "
    "and {new:g} now. Run `autograder course {course} --refresh`, and in that folder `nbgrader "
    "generate_assignment {assignment} --force`: what was handed in then counts by the new points."
)
OLD_GRADEBOOK = (
    "the gradebook gives `{cell}` {old:g} points and the rubric {new:g}: run `nbgrader "
    "generate_assignment {assignment} --force` in {course} first."
)
OLD_POINTS = (
    "the gradebook gives `{cell}` {old:g} points and the rubric {new:g}. Run `autograder course "
    "{course} --refresh`, and in that folder `nbgrader generate_assignment {assignment} --force`."
)
NOT_IN_GRADEBOOK = (
    "the gradebook knows no assignment {assignment!r}: run `nbgrader generate_assignment "
    "{assignment}` in {course} first (with the same gradebook, where you name one)."
)
NOT_RECORDED = "nbgrader could not record it: {error}"
OTHER_KIT = (
    "{machine} has another version of the kit, of Python or of JAX than this machine: install the "
    "same on all"
)
WEAK_MACHINE = "--require-sandbox: the strongest sandbox does not work on {machine}"
GRADER_FAILED = "it could not be graded here: {error}"
NOT_SHOWN = "its result cannot be shown ({error}); `autograder grade --force` makes it again"
RUN_GRADE = "run `autograder grade`"
NOTHING_GRADED = (
    "no submission of {assignment!r} has a result yet, or all have changed since, or the key, the "
    "rubric or the kit has: `autograder grade {course} {assignment}` makes them."
)
NEW_KEY = (
    "{course} has a new secret key. Nothing is lost, but results under the old key no longer "
    "count: run `autograder grade {course}`; marks given by hand stay. Programs in "
    "bundles must be timed again on a GPU."
)
KEY_STAYS = (
    "{course} has the secret key {name}, in {path}. `--rotate` makes a new one: after feedback has "
    "shown students what they were judged on, and before they may hand in again."
)
WAITING = (
    "{programs} for a GPU: take {folder} to a GPU machine (it holds the secret key: not for "
    "students), run `python -m autograder.speed BUNDLE` there, put the results file into {there} "
    "and run this again."
)
TO_MARK = "{cell}, {points:g} points to give in formgrader"
MARK_AGAIN = (
    "{cell}, marked by hand; the answer or the automatic mark has changed since: confirm the mark "
    "in formgrader"
)
UNREAD_SPEED = "{problem} No mark was taken from it."
