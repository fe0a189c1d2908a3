"""What a call has made it may change; what was there before it may not."""

import pytest

from autograder.source import prove_cells

STATE = "import numpy as np\nimport jax.numpy as jnp\nkept = [0]\ntable = {'k': [0]}\n"


def reason(body: str) -> str:
    text = STATE + "def f(x):\n" + "\n".join(f"    {line}" for line in body.split("\n"))
    unproved = prove_cells([("a", text)], ["f"]).unproved
    return unproved.reason if unproved else ""


@pytest.mark.parametrize(
    "body",
    [
        "own = []; own.append(x); own[0] = 1; own += [x]",
        "own = {}; own['a'] = x; own.update(b=x)",
        "own = [0] * 3; own[1] += 1",
        "own = np.zeros(3); own[0] += 1; own += 1",
        "own = list(x); own[0] = 1",
        "total = 0.0\nfor v in x: total += v",
        "y = x * 2; y += 1",
        "y = jnp.exp(x); y += 1",
        "def inner(v):\n    return v * 2\ny = inner(x); y += 1",
        "own = [[0] for _ in range(3)]; own[0] = x",
        "for i, v in enumerate(zip(x, x)): pass",
        "names = {'a', 'b'}; z = 'a' in names",
        "pairs = zip(x, x); return list(pairs)",
        "own = np.zeros(3)\nfor i in range(3): own[i] = own[i - 1] * 2\nreturn jnp.asarray(own)",
    ],
)
def test_own_objects_may_change(body):
    assert reason(body) == ""


@pytest.mark.parametrize(
    "body",
    [
        "x += 1",
        "x[0] = 1",
        "y = x; y += 1",
        "y = x[0]; y += 1",
        "y = np.asarray(x); y += 1",
        "own = dict(table); own['k'] += [1]",
        "own = [kept]; own[0].append(1)",
        "own = [kept]; own[0][0] = 1",
        "own = [[0]]; own.append(kept); own[1][0] = 1",
        "y = kept if x else []; y.append(1)",
        "for y in [kept]: y.append(1)",
        "(y := kept).append(1)",
        "def inner(v):\n    return v\ny = inner(x); y += 1",
        "own = []\ndef inner():\n    own.append(1)\ninner()",
        "own = np.full(2, fill_value=table); own[0]['k'] = 1",
    ],
)
def test_others_may_not(body):
    assert "change" in reason(body)


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("return zip(x, x)", "iterator"),
        ("own = zip(x, x)\nreturn lambda: list(own)", "iterator"),
        ("return [v for v in {'a', 'b'}]", "order of a set"),
        ("names = {'a'} | {'b'}; return list(names)", "order of a set"),
        ("names = table.keys(); names = names & table.keys()", "iterator"),
        ("names = {'a', 'b'}; return names.pop()", "order of a set"),
        ("return sorted({'a', 'b'})", "order of a set"),
        ("return f'{x}'", "when it is traced"),
        ("return x is kept", "Which object"),
    ],
)
def test_iterators_and_sets_are_not_kept(body, says):
    assert says in reason(body)
