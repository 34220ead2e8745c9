#!/usr/bin/env bash
# test-all.sh [OPTION...]: test.sh with the tests that are marked slow.
exec "$(dirname "${BASH_SOURCE[0]}")/test.sh" --slow-too "$@"
