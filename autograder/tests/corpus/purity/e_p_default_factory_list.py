# pure

import dataclasses


@dataclasses.dataclass
class Bag:
    items: list = dataclasses.field(default_factory=list)


def f(x):
    bag = Bag()
    if x.ndim > 1:
        bag.items.append(x.sum())
    bag.items.append(x)
    return sum(bag.items)
