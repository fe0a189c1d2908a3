# pure


def f(x):
    params = {"w": x, "b": x}
    return update(params)["w"]


def update(params):
    params = dict(params)
    if params["w"].ndim > 1:
        params["w"] = params["w"].sum(0)
    params["b"] = params["b"] + 1
    return params
