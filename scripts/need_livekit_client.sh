#!/bin/sh
# Make sure LiveKit's browser client is in the cache; fetch it with npm, checked, and print its path.
set -eu
version=2.23.0
# Of the package as npm tells it (`npm view livekit-client@2.23.0 dist.integrity`).
sha512=j9Kg86nJjBjNFUD+ukp2jwMCGa0k+YD5gU//RzAM+ZY3pbG631QCte7fQjwqWMmtBzhDJL9nKYuOLMv/9IbAxg==
folder="${XDG_CACHE_HOME:-$HOME/.cache}/rt-avatar/livekit-client-$version"
client="$folder/livekit-client.esm.mjs"
if [ ! -f "$client" ]; then
    if ! command -v npm >/dev/null 2>&1; then
        echo "LiveKit's browser client comes from npm, which is not here. Install it, e.g. 'apt-get install npm' or 'brew install node', and run again." >&2
        exit 1
    fi
    echo "Fetching livekit-client $version (Apache-2.0) with npm …" >&2
    mkdir -p "$folder"
    part=$(mktemp -d "$folder/part.XXXXXX")
    trap 'rm -rf "$part"' EXIT
    # npm looks for settings where it runs: in an empty folder it finds only the person's own.
    (cd "$part" && npm pack --silent --pack-destination . "livekit-client@$version" >/dev/null)
    package="$part/livekit-client-$version.tgz"
    got=$(node -e 'const c = require("crypto"), f = require("fs"); console.log(c.createHash("sha512").update(f.readFileSync(process.argv[1])).digest("base64"))' "$package")
    if [ "$got" != "$sha512" ]; then
        echo "livekit-client $version: expected a package with the SHA-512 $sha512, got $got. Nothing was installed; try again, or ask who runs your npm registry." >&2
        exit 1
    fi
    tar -xzf "$package" -C "$part" package/dist/livekit-client.esm.mjs package/LICENSE
    mv "$part/package/LICENSE" "$folder/LICENSE"
    mv "$part/package/dist/livekit-client.esm.mjs" "$client"
fi
echo "$client"
