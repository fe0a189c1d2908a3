# attack: ends Python while it is traced; exercise: static_reshape; must not gain: outputs; says: ended before it was done
import os


def rank_abundance(counts):
    os._exit(0)
