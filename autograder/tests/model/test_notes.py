from autograder.model.adapters import keep_notes, note_impurity
from autograder.model.finding import AdapterError


def test_notes_are_kept_where_somebody_asks_for_them():
    note_impurity("`fit` changes the model")
    with keep_notes() as notes:
        note_impurity("`fit` changes its data", note_impurity)
        assert [(type(n), str(n), n.at) for n in notes] == [
            (AdapterError, "`fit` changes its data", note_impurity)
        ]
        with keep_notes() as inner:
            note_impurity("`fit` prints")
        assert len(notes) == len(inner) == 1
    note_impurity("`fit` changes the model")
    assert len(notes) == 1
