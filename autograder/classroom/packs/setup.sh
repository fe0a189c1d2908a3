#!/usr/bin/env bash
# Gradescope runs this once, as root, to build the image. After it, nothing needs a network.
set -euo pipefail
root="${AUTOGRADER_ROOT:-/autograder}"
source="$root/source"
umask 022

# The key and the right answers: for root only.
chown -R "$(id -u):$(id -g)" "$source"
chmod -R go= "$source"

# Pythons that this release of JAX works with; first the one that the pack was made with.
pythons="<< pythons >>"
find_python() {
    local name
    for name in $pythons; do
        if "$name" -c 'import ensurepip, venv' 2>/dev/null; then
            command -v "$name"
            return
        fi
    done
    return 1
}
install() { DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"; }
if ! python=$(find_python); then
    apt-get update
    for name in $pythons; do
        install "$name" "$name-venv" && break
    done
    python=$(find_python) || {
        echo "This image has none of $pythons: choose a newer base image." >&2
        exit 1
    }
fi

# Where namespaces are allowed, bubblewrap confines more than another user does.
command -v bwrap >/dev/null || install bubblewrap || echo "Goes on without bubblewrap."

"$python" -m venv --clear "$root/venv"
"$root/venv/bin/python" -m pip install --no-input -r "$source/requirements.txt" "$source"/*.whl

# Submissions run as another user, who must find Python, and not the rubrics.
chmod a+rx "$root"
chmod -R a+rX "$root/venv"
packages=$("$root/venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
chmod -R go= "$packages/autograder/rubrics" "$packages/autograder/lessons/shipped"

"$root/venv/bin/autograder" doctor
