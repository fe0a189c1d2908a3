# pure

import decimal


def f(x):
    with decimal.localcontext() as context:
        context.prec = 30
        third = float(decimal.Decimal(1) / decimal.Decimal(3))
    return x * third
