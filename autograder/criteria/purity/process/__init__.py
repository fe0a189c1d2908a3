"""State of the whole process: modules, configuration, environment, random states, hooks."""

from autograder.criteria.purity.process.modules import MODULES as MODULES
from autograder.criteria.purity.process.modules import public_names as public_names
from autograder.criteria.purity.process.modules import watched_modules as watched_modules
from autograder.criteria.purity.process.pictures import ProcessState as ProcessState
from autograder.criteria.purity.process.pictures import changed_keys as changed_keys
from autograder.criteria.purity.process.pictures import picture as picture
from autograder.criteria.purity.process.pictures import value_of as value_of
from autograder.criteria.purity.process.reading import Key as Key
from autograder.criteria.purity.process.reading import random_states as random_states
from autograder.criteria.purity.process.words import in_words as in_words
from autograder.criteria.purity.process.words import rule_for as rule_for
