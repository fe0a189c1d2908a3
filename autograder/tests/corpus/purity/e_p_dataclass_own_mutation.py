# pure

import dataclasses


@dataclasses.dataclass
class State:
    x: object
    steps: int = 0


def advance(state):
    if state.steps > 5:
        state.x = state.x * 0
    state.x = state.x * 2
    state.steps += 1


def f(x):
    state = State(x)
    advance(state)
    advance(state)
    return state.x
