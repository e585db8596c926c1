#!/bin/sh
# Make sure the named programs are there; install them with apt where we may, else say what to do.
set -eu
missing=""
for name in "$@"; do
    case "$name" in
        chromium) for try in chromium chromium-browser google-chrome google-chrome-stable; do
                      if command -v "$try" >/dev/null 2>&1; then continue 2; fi
                  done
                  if [ -x "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" ]; then continue; fi ;;
        *) if command -v "$name" >/dev/null 2>&1; then continue; fi ;;
    esac
    missing="$missing $name"
done
[ -z "$missing" ] && exit 0
if command -v apt-get >/dev/null 2>&1; then
    if [ "$(id -u)" = 0 ]; then sudo=""; elif sudo -n true 2>/dev/null; then sudo="sudo"; else sudo=none; fi
    if [ "$sudo" != none ]; then
        echo "Installing$missing with apt-get …"
        $sudo apt-get update -qq
        # shellcheck disable=SC2086
        DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq $missing >/dev/null
        exit 0
    fi
fi
echo "The tests need:$missing. Install them, e.g. 'sudo apt-get install$missing' or 'brew install$missing', and run again." >&2
exit 1
