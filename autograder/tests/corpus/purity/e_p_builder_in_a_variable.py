# pure


class Stack:
    def __init__(self):
        self.items = []

    def push(self, item):
        if item.size > 50:
            self.items.clear()
        self.items.append(item)


def f(x):
    stack = Stack()
    stack.push(x)
    stack.push(x + 1)
    return sum(stack.items)
