# starter: as shipped; exercise: purity_hunt_noise; must fail: outputs; says: drawn once, while tracing
