"""Messages about the report on a whole course."""

NEEDS_LESSON = "{option} is about one lesson: autograder report {course} LESSON {option} ..."
NOT_AN_ADDRESS = (
    "--formgrader {address!r} is not the address of a page: give one that begins with http:// or "
    "https://, such as {usual}."
)
NOTHING_GRADED = (
    "no submission has a result yet, or all results are out of date (the submissions, the key, the "
    "rubrics or the kit changed): run `autograder grade {course}`."
)
BAD_PSEUDONYMS = (
    "{path} does not hold the secret of the pseudonyms ({error}). Restore it from a backup. If you "
    "have none, remove the file: the next report makes new pseudonyms."
)
EACH_NAME = "The names behind the pseudonyms: autograder report {course} --names"
