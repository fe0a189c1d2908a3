# pure

import warnings


class Net:
    def __init__(self):
        self.filters = [1, 2]
        self.level = 3
        self.path = "a"


warnings.filterwarnings("ignore", message="a message of nobody")
net = Net()


def f(x):
    return x * len(net.filters)
