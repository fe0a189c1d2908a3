# starter: as shipped; exercise: many_devices_sum; must fail: outputs; says: values differ
