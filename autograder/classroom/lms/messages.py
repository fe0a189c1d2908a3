"""Messages about rosters, extensions, and the files for Canvas and Moodle."""

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
    "column student_id, and canvas_id or id_number, say (autograder/README.md lists all)."
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
