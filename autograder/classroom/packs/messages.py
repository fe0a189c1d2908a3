"""Messages of the packs: for instructors who make them, and for students on the platforms."""

NO_LESSON = "there is no lesson {name!r}. The lessons are: {names}."
NOT_IN_COURSE = (
    "{course} has no assignment {lesson!r}: there is no source/{lesson}/{lesson}.ipynb. Name a "
    "lesson that the course has, or leave out --course."
)
NO_FOLDER = "{folder} does not exist. Make it first, or name another file with -o."
NOT_A_ZIP = "{path} must end in .zip: Gradescope takes nothing else."
IS_FOLDER = "{path} is a folder. Name the file to write with -o, such as {path}/{lesson}.zip."
NOT_EMPTY = (
    "{path} already exists and is not empty; nothing was written. Name a new folder with -o, or "
    "move the old one away."
)
NO_HATCHLING = (
    "a pack holds the kit's wheel, and building it from the checkout {root} needs hatchling: pip "
    "install hatchling"
)
NOT_BUILT = "the kit's wheel could not be built from {root}: {error}"
NOT_INSTALLED = (
    "the kit's wheel cannot be made from this installation ({error}). Install plnkit from a wheel, "
    "or use a checkout of the kit with hatchling installed."
)

GRADESCOPE_DONE = """\
Wrote {path}: upload it in Gradescope, under Configure Autograder.
It holds {key}, so show it to no student. Set the assignment's autograder points to {points:g}.\
"""
NEW_KEY = "a new secret key, drawn for this pack"
COURSE_KEY = "the secret key of {lesson} in {course}"
SPEED_APART = "Not in these points: {points:g} for speed, which need a GPU."
WORDS_APART = "Not in these points: {points:g} for answers in words, which a person marks."
GITHUB_DONE = """\
Wrote {path}. Next: make it a template repository on GitHub, and choose that in GitHub Classroom:
  cd {path} && git init && git add -A && git commit -m "Start" && git remote add origin URL
  git push -u origin HEAD
Marks there are provisional: students can change the workflow, and its inputs are public.\
"""
LIMITS_REFUSED = (
    "No wall confines a submission here: neither bubblewrap nor another user works. It could read "
    "the key and write its own marks. To grade all the same, make the pack again with "
    "--limits-only."
)

# What students read.
NOT_COUNTED = "{points:g} points are not counted here: {why}."
SPEED_WAITS = "speed is decided on a GPU, and your instructor adds them"
PERSON_MARKS = "a person marks this answer"
STILL_OPEN = "they are neither earned nor lost yet"
NO_NOTEBOOK = "There is no notebook (.ipynb) in this submission. Hand in {name}."
SEVERAL_NOTEBOOKS = (
    "This submission has several notebooks, and none is called {name}: {found}. Hand in one."
)
NO_MARK = (
    "This submission has no mark yet, and that is not your fault. Your instructor sees why, and "
    "reviews it."
)
REVIEWED = "There is no mark yet. Your instructor reviews this submission; you can hand in again."
NOTEBOOK_GONE = "There is no {name} in this repository. Put the notebook back under this name."
PROVISIONAL = "provisional"
