# pure

import dataclasses


@dataclasses.dataclass
class State:
    x: object
    steps: int = 0

    def step(self):
        if self.steps > 3:
            return dataclasses.replace(self, steps=0)
        return dataclasses.replace(self, x=self.x * 2, steps=self.steps + 1)


def f(x):
    return State(x).step().step().x
