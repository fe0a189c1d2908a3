# ruff: noqa
import matplotlib.pyplot as plt


class Own:
    savefig = None


fig = plt.figure()
fig.savefig("/scratch/written_by_savefig.png")
# CHECK: os.path.exists('/scratch/written_by_savefig.png')
