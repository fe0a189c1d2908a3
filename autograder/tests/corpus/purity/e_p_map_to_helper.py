# pure


def put(box, value):
    if value.size > 40:
        box["big"] = value
    box["last"] = value


def f(x):
    box = {}
    for v in (x, x + 1):
        put(box, v)
    return box["last"]
