"""Repairs of the drills of the lesson many_devices."""

# %% starter_largest_count
# starter: as given; exercise: largest_count; must fail: outputs; says: replication

# %% right_largest_count_1
# right: XLA splits the work; exercise: largest_count
@jax.jit
def largest_count(Y):
    return jax.lax.with_sharding_constraint(Y, rows).max()

# %% right_largest_count_2
# right: the largest of each site, and then of all; exercise: largest_count
@jax.jit
@partial(jax.shard_map, mesh=mesh, in_specs=P("sites"), out_specs=P("sites"))
def largest_by_device(Y):
    return Y.max(axis=1)

@jax.jit
def largest_count(Y):
    return largest_by_device(Y).max()

# %% wrong_largest_count_1
# wrong: the check off; exercise: largest_count; must fail: outputs; says: largest_count
@jax.jit
@partial(jax.shard_map, mesh=mesh, in_specs=P("sites"), out_specs=P(), check_vma=False)
def largest_count(Y):
    return Y.max()

# %% wrong_largest_count_2
# wrong: added up; exercise: largest_count; must fail: outputs; says: largest_count
@jax.jit
@partial(jax.shard_map, mesh=mesh, in_specs=P("sites"), out_specs=P())
def largest_count(Y):
    return jax.lax.psum(Y.max(), "sites")

# %% wrong_largest_count_3
# wrong: not jitted; exercise: largest_count; must fail: compilations; says: jit
def largest_count(Y):
    return Y.max()

# %% starter_site_totals
# starter: as given; exercise: site_totals; must fail: outputs; says: site_totals

# %% right_site_totals_1
# right: gathered on all devices; exercise: site_totals
@jax.jit
@partial(jax.shard_map, mesh=mesh, in_specs=P("sites"), out_specs=P(), check_vma=False)
def site_totals(Y):
    return jax.lax.all_gather(Y.sum(axis=1), "sites", tiled=True)

# %% right_site_totals_2
# right: split by taxa; exercise: site_totals
@jax.jit
@partial(jax.shard_map, mesh=mesh, in_specs=P(None, "sites"), out_specs=P())
def site_totals(Y):
    return jax.lax.psum(Y.sum(axis=1), "sites")

# %% wrong_site_totals_1
# wrong: added up over the devices; exercise: site_totals; must fail: outputs; says: site_totals
@jax.jit
@partial(jax.shard_map, mesh=mesh, in_specs=P("sites"), out_specs=P())
def site_totals(Y):
    return jax.lax.psum(Y.sum(axis=1), "sites")

# %% wrong_site_totals_2
# wrong: the totals of the taxa; exercise: site_totals; must fail: outputs; says: site_totals
@jax.jit
@partial(jax.shard_map, mesh=mesh, in_specs=P("sites"), out_specs=P("sites"))
def site_totals(Y):
    return Y.sum(axis=0)

# %% starter_taxon_totals
# starter: as given; exercise: taxon_totals; must fail: outputs; says: taxon_totals

# %% right_taxon_totals_1
# right: each device has other taxa; exercise: taxon_totals
@jax.jit
@partial(jax.shard_map, mesh=mesh, in_specs=P(None, "sites"), out_specs=P("sites"))
def taxon_totals(Y):
    return Y.sum(axis=0)

# %% right_taxon_totals_2
# right: the check off, the sum there; exercise: taxon_totals
@jax.jit
@partial(jax.shard_map, mesh=mesh, in_specs=P("sites", None), out_specs=P(None), check_vma=False)
def taxon_totals(Y):
    return jax.lax.psum(Y, "sites").sum(axis=0)

# %% wrong_taxon_totals_1
# wrong: the check off; exercise: taxon_totals; must fail: outputs; says: taxon_totals
@jax.jit
@partial(jax.shard_map, mesh=mesh, in_specs=P("sites"), out_specs=P(), check_vma=False)
def taxon_totals(Y):
    return Y.sum(axis=0)

# %% wrong_taxon_totals_2
# wrong: the sum, and still put together; exercise: taxon_totals; must fail: outputs; says: taxon_totals
@jax.jit
@partial(jax.shard_map, mesh=mesh, in_specs=P("sites"), out_specs=P("sites"))
def taxon_totals(Y):
    return jax.lax.psum(Y.sum(axis=0), "sites")

# %% wrong_taxon_totals_3
# wrong: the mean over devices; exercise: taxon_totals; must fail: outputs; says: taxon_totals
@jax.jit
@partial(jax.shard_map, mesh=mesh, in_specs=P("sites"), out_specs=P())
def taxon_totals(Y):
    return jax.lax.pmean(Y.sum(axis=0), "sites")
