#!/usr/bin/env bash
# The page of the benchmark report in a real browser. Installs what it needs
# (Chromium, node and npm, where missing; npm's playwright-core) and takes under
# a minute.
set -euo pipefail
cd "$(dirname "$0")/.."
missing=()
command -v npm >/dev/null || missing+=(nodejs npm)
[ -x /usr/bin/chromium ] || missing+=(chromium)
[ ${#missing[@]} -eq 0 ] || { apt-get update -qq && apt-get install -y -qq "${missing[@]}" >/dev/null; }
dir="$(mktemp -d)"
trap 'rm -rf "$dir"' EXIT
(cd "$dir" && npm init -y >/dev/null && npm install --no-audit --no-fund --silent playwright-core)
cd bench
NODE_PATH="$dir/node_modules" SPANWIRE_PEERS=1 go test -count=1 -run '^TestPageInBrowser$' ./report
