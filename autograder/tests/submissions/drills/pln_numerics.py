"""Repairs of the drills of the lesson capstone."""

# %% starter_quadratic_term
# starter: as given; exercise: quadratic_term; must fail: outputs; says: quadratic_term

# %% right_quadratic_term
# right: a sum of products; exercise: quadratic_term
@jax.jit
def quadratic_term(M, S, Omega):
    return -0.5 * (jnp.sum(M @ Omega * M) + jnp.sum(S**2 @ jnp.diagonal(Omega)))

# %% wrong_quadratic_term_1
# wrong: D without the squares; exercise: quadratic_term; must fail: outputs; says: quadratic_term
@jax.jit
def quadratic_term(M, S, Omega):
    D = jnp.diag(jnp.sum(S, axis=0))
    return -0.5 * jnp.trace((M.T @ M + D) @ Omega)

# %% wrong_quadratic_term_2
# wrong: the sign; exercise: quadratic_term; must fail: outputs; says: quadratic_term
@jax.jit
def quadratic_term(M, S, Omega):
    D = jnp.diag(jnp.sum(S**2, axis=0))
    return 0.5 * jnp.trace((M.T @ M + D) @ Omega)

# %% starter_log_det
# starter: as given; exercise: log_det; must fail: outputs; says: log_det

# %% right_log_det_1
# right: Cholesky; exercise: log_det
@jax.jit
def log_det(Omega):
    return 2 * jnp.sum(jnp.log(jnp.diagonal(jnp.linalg.cholesky(Omega))))

# %% right_log_det_2
# right: eigenvalues; exercise: log_det
@jax.jit
def log_det(Omega):
    return jnp.sum(jnp.log(jnp.linalg.eigvalsh(Omega)))

# %% wrong_log_det_1
# wrong: the sign; exercise: log_det; must fail: outputs; says: log_det
@jax.jit
def log_det(Omega):
    return jnp.linalg.slogdet(Omega)[0]

# %% wrong_log_det_2
# wrong: the factor 2 is forgotten; exercise: log_det; must fail: outputs; says: log_det
@jax.jit
def log_det(Omega):
    return jnp.sum(jnp.log(jnp.diagonal(jnp.linalg.cholesky(Omega))))

# %% starter_expected_counts
# starter: as given; exercise: expected_counts; must fail: outputs; says: vmap

# %% right_expected_counts_1
# right: X closed over; exercise: expected_counts
@jax.jit
def expected_counts(B, X):
    return jax.vmap(lambda B: jnp.exp(X @ B))(B)

# %% right_expected_counts_2
# right: broadcasting; exercise: expected_counts
expected_counts = jax.jit(lambda B, X: jnp.exp(X @ B))

# %% wrong_expected_counts_1
# wrong: the fits last; exercise: expected_counts; must fail: outputs; says: shape
@jax.jit
def expected_counts(B, X):
    return jax.vmap(lambda B: jnp.exp(X @ B), out_axes=-1)(B)

# %% wrong_expected_counts_2
# wrong: a loop in Python; exercise: expected_counts; must fail: compilations; says: jit
def expected_counts(B, X):
    return jnp.stack([jnp.exp(X @ one) for one in B])
