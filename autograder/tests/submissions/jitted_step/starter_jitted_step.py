# starter: closes over the oaks; exercise: jitted_step; must fail: outputs; says: Pass all data as arguments
