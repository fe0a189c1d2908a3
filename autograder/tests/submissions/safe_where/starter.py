# starter: as shipped; exercise: safe_where; must fail: outputs; says: the gradient is nan at y = 0
