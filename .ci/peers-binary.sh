#!/usr/bin/env bash
# Tests the examples of package binary against other programs: Debian's chrony
# and npm's modbus-serial, which it installs where they are missing.
set -euo pipefail
cd "$(dirname "$0")/.."

need=()
command -v chronyd >/dev/null || [ -x /usr/sbin/chronyd ] || need+=(chrony)
command -v node >/dev/null || need+=(nodejs)
command -v npm >/dev/null || need+=(npm)
if [ ${#need[@]} -gt 0 ]; then
  sudo=()
  [ "$(id -u)" = 0 ] || sudo=(sudo)
  "${sudo[@]}" apt-get update -qq
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${need[@]}"
fi
modules=examples/modbus/testdata
[ -d "$modules/node_modules/modbus-serial" ] ||
  npm install --prefix "$modules" --no-save --no-audit --no-fund --ignore-scripts modbus-serial

SPANWIRE_PEERS=1 go test -count=1 -run '^Test(NTP|ModbusNode)' ./examples
