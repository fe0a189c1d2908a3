"""Figures that teach, each drawn from a real run: each in a file of its own.

Every function returns a matplotlib Figure that belongs to no window and no pyplot state, and that
shows itself as the last line of a notebook cell. matplotlib is imported where a figure is drawn.
"""

from plnkit.plots.compilations import plot_compilations as plot_compilations
from plnkit.plots.covariance import plot_covariance as plot_covariance
from plnkit.plots.fit import plot_fit as plot_fit
from plnkit.plots.jaxprs import plot_jaxprs as plot_jaxprs
from plnkit.plots.ladder import plot_ladder as plot_ladder
from plnkit.plots.race import plot_race as plot_race
