#!/bin/sh
# Make sure that a livekit-server is there for the tests, and print its path on the last line. It is
# built by Go once, into a cache folder. RT_AVATAR_LIVEKIT_SERVER names another program to use.
set -eu
version=1.9.12
if [ -n "${RT_AVATAR_LIVEKIT_SERVER:-}" ]; then
    if [ -x "$RT_AVATAR_LIVEKIT_SERVER" ]; then echo "$RT_AVATAR_LIVEKIT_SERVER"; exit 0; fi
    echo "RT_AVATAR_LIVEKIT_SERVER: expected a program, got '$RT_AVATAR_LIVEKIT_SERVER'. Correct it, or unset it to have one built." >&2
    exit 1
fi
bin="${XDG_CACHE_HOME:-$HOME/.cache}/rt-avatar/bin"
program="$bin/livekit-server"
if [ -x "$program" ] && "$program" --version | grep -qF "$version"; then echo "$program"; exit 0; fi

go=$(command -v go || true)
if [ -z "$go" ] && [ -x /usr/local/go/bin/go ]; then go=/usr/local/go/bin/go; fi
got="none"
[ -z "$go" ] || got=$("$go" env GOVERSION)
case "$got" in
    go1.[0-9] | go1.[0-9].* | go1.1[0-9]* | go1.2[0-3]* | none)
        echo "The tests need livekit-server $version, which Go builds: expected Go 1.24 or later, got $got. Install it from https://go.dev/dl (into /usr/local/go) or with 'brew install go' and run again; or name a livekit-server in RT_AVATAR_LIVEKIT_SERVER." >&2
        exit 1 ;;
esac
echo "Building livekit-server $version into $bin (once; two or three minutes on two cores) …" >&2
mkdir -p "$bin"
new=$(mktemp -d "$bin/new.XXXXXX")  # beside the old one: two builds at once do not meet
trap 'rm -rf "$new"' EXIT
GOBIN="$new" "$go" install -ldflags "-s -w" "github.com/livekit/livekit-server/cmd/server@v$version"
mv -f "$new/server" "$program"
echo "$program"
