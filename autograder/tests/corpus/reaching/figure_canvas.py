# ruff: noqa
import matplotlib.pyplot as plt


class Own:
    axes = figure = canvas = print_png = manager = matplotlib = rcParams = None


line = plt.plot([1, 2])[0]
canvas = line.figure.canvas
canvas.print_png("/scratch/written_by_canvas.png")
# CHECK: os.path.exists('/scratch/written_by_canvas.png')
