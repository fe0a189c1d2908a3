# starter: assigns into the array; exercise: jitted_step_fit; must fail: outputs; says: x.at[i].set(v)
