# attack: tracing never ends and swallows what would stop it; exercise: static_reshape; must not gain: outputs; says: took longer than; seconds: 8
def rank_abundance(counts):
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
