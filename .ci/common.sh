# What the gate and the nightly run have in common; sourced by both from the top of the checkout.

# A virtual environment, a preload or a build mode of the caller's must not reach in here.
unset VIRTUAL_ENV PYTHONPATH PYTHONHOME TENGEN_DEBUG TENGEN_NATIVE TENGEN_ANNOTATE LD_PRELOAD
export PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONDONTWRITEBYTECODE=1

work=$(mktemp -d)
trap 'kill $(jobs -p) 2> /dev/null || true; rm -rf "$work"' EXIT

step() { printf '\n== %s (%d s)\n' "$*" "$SECONDS"; }
fail() { printf '%s: %s\n' "$0" "$*" >&2; exit 1; }

# copy_tree FOLDER: the checkout as a fresh clone would have it, with what is not yet committed; in FOLDER, and called
# tengen as a clone is.
copy_tree() {
    mkdir -p "$work/$1/tengen"
    git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' file; do
        if [[ -e $file ]]; then printf '%s\0' "$file"; fi
    done | tar --create --null --files-from=- | tar --extract --directory="$work/$1/tengen"
}

# need_chromium: Debian's Chromium for the tests in a browser, which fail from now on where it is missing.
need_chromium() {
    command -v chromium > /dev/null ||
        { apt-get update -q && apt-get install -y -q --no-install-recommends chromium; } > "$work/chromium.log" 2>&1 ||
        { cat "$work/chromium.log"; fail "Debian's chromium cannot be installed"; }
    export TENGEN_BROWSER=1
}

# enter_environment NAME: a fresh virtual environment, first on the path.
enter_environment() {
    "${PYTHON:-python3}" -m venv "$work/$1"
    PATH=$work/$1/bin:$path
}
path=$PATH
