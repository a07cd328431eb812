#!/usr/bin/env bash
# Makes sure that the tests of the pages find a Chromium: one that is there, or Debian's. The headless shell draws no window, which costs most.
set -euo pipefail
for name in "${CUPBOARD_CHROMIUM:-}" chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable; do
  if [ -n "$name" ] && command -v "$name" >/dev/null 2>&1; then
    command -v "$name"
    exit 0
  fi
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq >&2
  apt-get install -y -qq --no-install-recommends chromium-headless-shell fonts-dejavu-core >&2 ||
    apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >&2
  command -v chromium-headless-shell || command -v chromium
  exit 0
fi
echo "browser: no Chromium found; install one (Debian: sudo apt-get install chromium) or set CUPBOARD_CHROMIUM to its path" >&2
exit 1
