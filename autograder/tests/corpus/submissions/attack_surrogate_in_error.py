# attack: an error message that no file can hold; exercise: static_reshape; must not gain: outputs


def rank_abundance(counts):
    raise ValueError("\ud800\x1b[2J<script>")
