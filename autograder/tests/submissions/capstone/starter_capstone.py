# starter: as shipped; exercise: capstone; must fail: outputs; says: log(det(Omega))
