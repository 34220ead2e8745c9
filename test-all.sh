#!/usr/bin/env bash
# test-all.sh [OPTION...]: test.sh with the tests that are marked slow. Left out is the matrix of .NET scenes, which lab/matrix.sh runs.
exec "$(dirname "${BASH_SOURCE[0]}")/test.sh" --slow-too "$@"
