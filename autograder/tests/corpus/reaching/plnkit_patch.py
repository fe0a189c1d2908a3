# ruff: noqa
from plnkit import Parameters, Solution, Fit
import plnkit

P = Parameters
P.covariance2 = "planted"
F = Fit
F.taxa = "patched"
F.predict = "patched"
P.coefficients = "patched"
# CHECK: (__import__('plnkit').Parameters.coefficients, __import__('plnkit').Fit.predict)
