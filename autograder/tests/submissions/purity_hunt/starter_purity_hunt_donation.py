# starter: as shipped; exercise: purity_hunt_donation; must fail: outputs; says: has been deleted
