"""plnkit: the Poisson-lognormal (PLN) model in JAX."""

import warnings as _warnings

from plnkit.compiler_guard import ensure as _ensure
from plnkit.installation import find_problem as _find_problem
from plnkit.installation import is_overwritten as _is_overwritten

_ensure()  # before anything can start JAX's backend
if _is_overwritten():
    _warnings.warn(_find_problem(), stacklevel=2)

from plnkit.compiler_guard import WrongCompilerError as WrongCompilerError  # noqa: E402
from plnkit.compiler_guard import canary as canary  # noqa: E402
from plnkit.data import Oaks as Oaks  # noqa: E402
from plnkit.data import Simulation as Simulation  # noqa: E402
from plnkit.data import load_oaks as load_oaks  # noqa: E402
from plnkit.data import simulate as simulate  # noqa: E402
from plnkit.fitting import fit as fit  # noqa: E402
from plnkit.model import Latent as Latent  # noqa: E402
from plnkit.model import Parameters as Parameters  # noqa: E402
from plnkit.model import elbo as elbo  # noqa: E402
from plnkit.model import profiled_elbo as profiled_elbo  # noqa: E402
from plnkit.problems import ConvergenceWarning as ConvergenceWarning  # noqa: E402
from plnkit.problems import DataError as DataError  # noqa: E402
from plnkit.problems import DataWarning as DataWarning  # noqa: E402
from plnkit.result import Fit as Fit  # noqa: E402
from plnkit.sharding import over_samples as over_samples  # noqa: E402
from plnkit.solver import Solution as Solution  # noqa: E402
from plnkit.solver import solve as solve  # noqa: E402
from plnkit.storage import FitFileError as FitFileError  # noqa: E402
from plnkit.storage import load_fit as load_fit  # noqa: E402
from plnkit.storage import save_fit as save_fit  # noqa: E402
