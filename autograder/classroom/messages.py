"""Messages for instructors: courses, gradebooks, rosters, reports, and the machines that grade."""

# What a command does, while it does it.
MAKING_COURSE = "making the assignments"
REFRESHING_COURSE = "comparing the assignments"
READING_RESULTS = "reading the results"
RELEASING = "releasing the assignment"
GRADING = "grading"
WRITING_FEEDBACK = "writing the feedback"
PACKING = "packing"

OTHER_GRADER = (
    "another grader is running in {course}. Wait until it is done, then run this again: nothing "
    "will be graded twice."
)
NO_ASSIGNMENT = (
    "{course} has no assignment {assignment!r} of the kit: there is no "
    "source/{assignment}/{assignment}.ipynb. `autograder course` makes a course with all lessons."
)
NO_RUBRIC = (
    "source/{assignment}/{assignment}.ipynb is there, but {course} knows no rubric {assignment!r}. "
    "Put it into rubrics/{assignment}.py of your lesson folder, and name that folder with "
    "--lessons, or as c.GradeIsolated.lessons in nbgrader_config.py. (`nbgrader autograde` grades "
    "notebooks without a rubric.)"
)
RUBRIC_RELEASED = (
    "{file} holds a rubric, and so the right answers, and nbgrader would release it. Nothing was "
    "released. Move it into rubrics/ of your lesson folder, name that folder in "
    "nbgrader_config.py, as c.GradeIsolated.lessons, and run `autograder course COURSE --refresh`. "
    "Your students then get a file that checks their work and holds no solution."
)
NO_COURSE = (
    "{course} is not a course folder: `autograder course {course}` makes one. (In the course "
    "folder itself, its path is `.`)"
)
COURSE_EXISTS = (
    "{path} already exists and is not empty; nothing was written. Name a new folder, or move the "
    "old one away. If it is a course of the kit, add --refresh to update changed lessons."
)
LESSONS_MISSING = "{folder} has no lessons"
NO_SUCH_FOLDER = (
    "Ignored, since no assignment has this name: {folders}. Rename what is misspelt, and run this "
    "again."
)
STRAY_NOTEBOOKS = (
    "Not graded, since it is not known whose they are, or for which assignment: {files}. Move each "
    "into submitted/STUDENT/ASSIGNMENT, and run this again."
)
NOT_WRITABLE = (
    "{file} cannot be written ({error}). Fix that, then run the same command again: what is "
    "graded is kept."
)
NOTHING_HANDED_IN = "nobody has handed in {assignment!r}: submitted/*/{assignment} does not exist."
NOTHING_AT_ALL = "nobody has handed in an assignment of the kit: see {course}/submitted."
NOT_HANDED_IN_BY = "nothing was handed in by {students}"
DISK_FULL = (
    "the disk that holds {course} is full ({error}). Make space, then run the same command again: "
    "what is graded is kept, and an interrupted recording is repeated."
)
NO_GRADEBOOK = "the gradebook {url} cannot be used: {error}"
NO_DRIVER = (
    ". For PostgreSQL: pip install 'plnkit[postgresql]', and use a URL that begins with "
    "postgresql+psycopg://"
)
OLD_POINTS = (
    "`{cell}` has {old:g} points in {where} and {new:g} by the rubric and nbgrader_config.py. Run "
    "`autograder course {course} --refresh`, and in that folder `nbgrader generate_assignment "
    "{assignment} --force`. The new points then count for all submissions."
)
OTHER_POINTS = (
    "the rubric gives `{cell}` {new:g} points. In source/{assignment}/{assignment}.ipynb, made "
    "by hand, a grade cell of that name has {old:g}. Give the cell that checks the exercise "
    "this id and these points, and run `nbgrader generate_assignment {assignment} --force` in "
    "{course}."
)
NOT_FOLDERS = (
    "{file}: c.GradeIsolated.lessons is {found!r}: give a list of folders, as in "
    '["../mylessons"]. Paths begin in the course folder.'
)
BAD_FOLDER = "{file}: c.GradeIsolated.lessons names {folder}, but {error}"
ADD_FOLDER = (
    "{file} names other lesson folders. Add this one to c.GradeIsolated.lessons there, and run the "
    "same command again: {folder!r}"
)
NOT_POINTS = "{file}: c.GradeIsolated.defence_points is {found!r}: give a number, 0 or more."
NOT_A_SWITCH = "{file}: c.GradeIsolated.{name} is {found!r}: give True or False."
NOT_A_CLOCK = (
    "{file}: c.Exchange.timezone is {clock.zone!r} and c.Exchange.timestamp_format is "
    '{clock.format!r}, and no time can be written so. Give a zone such as "Europe/Berlin", and a '
    "format of Python's strftime."
)
OWN_DRAWS = "Each student of this course is judged on secret inputs of their own."
NOT_COUNTED = "0 points: this course gives none for the answers in this cell.\n"
NOT_IN_GRADEBOOK = (
    "the gradebook has no assignment {assignment!r}: run `nbgrader generate_assignment "
    "{assignment}` in {course} first (with the same --db, if you use that option)."
)
OTHER_EXPORTER = (
    "GradeIsolated and SaveMarks need this line in nbgrader_config.py, as `autograder course` "
    'writes it: c.Autograde.exporter_class = "autograder.nbgrader_bridge.TolerantExporter"'
)
NOT_RECORDED = "nbgrader could not record this submission: {error}"
OPEN_SCHEDULER = (
    "{scheduler} is open to everybody who can reach its port, also to other users of its machine, "
    "and they could run code on all graders. Start the cluster with certificates, and give an "
    "address that begins with tls:// (autograder/docs/large-classes.md says how)."
)
NO_SCHEDULER = "there is no scheduler at {scheduler}: {error}"
NO_WORKER = (
    "The scheduler at {scheduler} has no worker, so nothing is graded yet. Start one on each "
    "machine that is to grade: `dask worker {scheduler} --protocol tls`. Grading goes on as soon "
    "as there is one. (Ctrl+C stops it; what is graded is kept.)"
)
CLUSTER_GRADES = "The cluster of {scheduler} grades."
LOST_SCHEDULER = (
    "the scheduler at {scheduler} has ended or cannot be reached. Start it and its workers again, "
    "then run the same command again: what is graded is kept."
)
OTHER_KIT = (
    "{machine} has another version of the kit, of Python or of JAX than this machine, or another "
    "text of the lesson: install the same versions, and put the same lessons, on all machines."
)
OTHER_LESSONS = (
    "{machine} lacks the lesson: {error} Put the lesson folder at the same path on all machines."
)
LIMITS_REFUSED = (
    "nothing was graded. No wall confines submissions here: each could read and change all that "
    "you can, such as the key, the gradebook and the work of others. Install bubblewrap (apt "
    "install bubblewrap; `autograder doctor` says whether it works), or grade in a container of "
    "its own. For submissions that you trust, add --limits-only. For nbgrader's own commands, put "
    "c.GradeIsolated.limits_only = True into nbgrader_config.py."
)
WEAK_SANDBOX = "--require-sandbox: the strongest sandbox does not work here."
WEAK_MACHINE = "on {machine}: {reason}"
BOTH_PROTECTIONS = "--limits-only and --require-sandbox exclude each other: choose one."
LIMITS_WARNING = (
    "Warning: only limits confined these submissions. Each could read and change all that its "
    "grader can: the key, the gradebook, the marks of others. Before these marks count, grade the "
    "submissions again with bubblewrap, or read them."
)
LIMITS_ROW = "graded with limits only"
GRADER_FAILED = "grading this submission failed: {error}"
NOT_SHOWN = "its result cannot be shown ({error}): `autograder grade --force` grades it again"
RUN_GRADE = "run `autograder grade`"
NOTHING_GRADED = (
    "no submission has a result yet, or all results are out of date (the submissions, the key, the "
    "rubrics or the kit changed): run `autograder grade {course}{assignment}`."
)
ALIKE = (
    "Alike: {path} shows {count} of the pairs among {compared} submissions: a hint, never a mark."
)
NEW_KEY = (
    "{course} has a new secret key. Nothing is lost, but results under the old key no longer "
    "count: run `autograder grade {course}`. Marks given by hand stay. Programs in bundles must "
    "be timed again on a GPU."
)
KEY_STAYS = (
    "{course} has the secret key {name}, in {path}. `--rotate` makes a new one. Do that when "
    "feedback has shown students their inputs, and before they hand in again."
)
BAD_KEY = (
    "{path} does not hold a key ({error}). Restore it from a backup. If you have none, remove the "
    "file: the next run makes a new key and grades all submissions again."
)
WAITING = (
    "{programs} for a GPU: take {folder} to a GPU machine (it holds the secret key, so students "
    "must not get it), run `python -m autograder.speed BUNDLE` there, put the results file into "
    "{there} and run this again."
)
GIVE_MARK = "{cell}, {points:g} points to give in formgrader"
GIVE_ELSEWHERE = (
    "{cell}, {points:g} points to give in formgrader: the cell has no answer, but there is text in "
    "another one"
)
CONFIRM_MARK = (
    "{cell}, marked by hand; the answer or the automatic mark has changed since: confirm the mark "
    "in formgrader"
)
UNREAD_SPEED = "{problem} No mark was taken from it."
NBGRADER_FAILED = "`nbgrader {arguments}` failed:\n{words}"

# Rosters, extensions, and the files for Canvas and Moodle.

UNREADABLE_ROSTER = "the roster {file} cannot be read: {error}. It must be a CSV file in UTF-8."
NO_STUDENT_ID = (
    "the roster {file} has no column student_id: its first line must name the columns, separated "
    "by commas. It names: {found}."
)
UNKNOWN_COLUMN = (
    "the roster {file} has a column {column!r} that the kit does not know. Rename or remove it. "
    "The columns are: {known}, and extension:LESSON for each lesson."
)
COLUMN_TWICE = "the roster {file} has two columns {column}: remove one."
UNKNOWN_LESSON = "the roster {file} has a column {column!r}, but the course has no such assignment."
EXTRA_CELLS = (
    "{file}, line {line}: there are more cells than columns. Put text that contains a comma in "
    "double quotes."
)
NO_ID = "{file}, line {line}: student_id is empty. Fill it in, or remove the line."
TWICE = (
    "{file}, line {line}: {column} {value!r} is also that of line {other}: two students would get "
    "the same mark. Correct one of them."
)
LIKE_A_FORMULA = (
    "{file}, line {line}: {column} {value!r} begins like a spreadsheet's formula. An identifier "
    "cannot begin with = + - @."
)
NOT_AN_ID = (
    "{file}, line {line}: canvas_id {value!r} is not a whole number. It is the column `ID` in "
    "Canvas's own export of the gradebook."
)
NOT_DAYS = "{file}, line {line}: extra_days is {value!r}: give a number of days, 0 or more."
NOT_AN_EXTENSION = (
    "{file}, line {line}: {column} is {value!r}: give a number of days, 0 or more, or the new due "
    "date with its time, such as 2026-12-01 18:00+01:00. Without an offset, the time is UTC."
)
NO_DUE_DATE = (
    "the roster {file} extends {assignment} for {student}, but the gradebook has no due date for "
    "{assignment}. Set it in formgrader, or with `nbgrader db assignment add {assignment} "
    "--duedate='2026-12-01 18:00 UTC'`, or clear the cell."
)
EARLIER = (
    "the roster {file} gives {student} the due date {new} UTC for {assignment}, which is before "
    "everybody's: {old} UTC. Correct the roster, or the due date in formgrader."
)
NEEDS_ROSTER = (
    "--canvas and --moodle need --roster FILE: it says who is who there. It is a CSV file with the "
    "column student_id, and canvas_id or id_number, say (autograder/docs/marks.md lists all)."
)
SAME_FILE = "{file} is named twice, and would be overwritten. Name another file."
NO_FOLDER = "{file} cannot be written: there is no folder {folder}."
STRANGERS = (
    "not in the roster {file}: {students}. Nothing was written. Add a line for each. Leave its "
    "other columns empty for those who are not in {system}: they are then left out."
)
NO_COMMON_ID = (
    "Moodle matches all students by one column, and no column of {file} is filled in for all. "
    "Nothing was written. Without id_number: {without_number}. Without email: {without_email}."
)
LEFT_OUT = "  left out, as {file} gives no identifier for them there: {students}"
NOT_HANDED_IN = "  empty, as nothing was handed in: {students}"
STILL_OPEN = (
    "  empty, as the mark is not final (pending, to mark by hand, or not graded): {students}"
)

# The report on a whole course.

NEEDS_LESSON = "{option} is about one lesson: autograder report {course} LESSON {option} ..."
NOT_AN_ADDRESS = (
    "--formgrader {address!r} is not the address of a page: give one that begins with http:// or "
    "https://, such as {usual}."
)
BAD_PSEUDONYMS = (
    "{path} does not hold the secret of the pseudonyms ({error}). Restore it from a backup. If you "
    "have none, remove the file: the next report makes new pseudonyms."
)
EACH_NAME = "The names behind the pseudonyms: autograder report {course} --names"
