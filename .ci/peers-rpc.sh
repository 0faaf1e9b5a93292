#!/usr/bin/env bash
# Tests of rpc against programs of others: npm's modbus-serial. Installs what it
# needs (node and npm, where missing; the npm package) and takes under a minute.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v npm >/dev/null || { apt-get update -qq && apt-get install -y -qq nodejs npm >/dev/null; }
dir="$(mktemp -d)"
trap 'rm -rf "$dir"' EXIT
(cd "$dir" && npm init -y >/dev/null && npm install --no-audit --no-fund --silent modbus-serial)
NODE_PATH="$dir/node_modules" SPANWIRE_PEERS=1 go test -count=1 -run '^TestModbusTCPPeer' ./examples
