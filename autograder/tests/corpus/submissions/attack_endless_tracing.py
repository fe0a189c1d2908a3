# attack: tracing never ends, and the alarm is ignored; exercise: static_reshape; must not gain: outputs; says: took longer than; seconds: 8
import signal


def rank_abundance(counts):
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    while True:
        pass
