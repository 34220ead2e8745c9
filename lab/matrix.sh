#!/usr/bin/env bash
# lab/matrix.sh [FILTER]: looks at every scene of samples/managed in every variant of production (compiled cold and warm, other runtimes, server GC, self-contained,
# single file, inside ASP.NET Core under load) and prints a table: "yes" the scene got its verdict, "NO" it did not, "-" the variant cannot be had here or has no such
# scene. FILTER is a part of the tests' names, for example "variant: \"warm\"". Build first; takes about an hour and a half. What was seen stands on stderr, a line for
# each look with its failure, as it comes; Ctrl+C ends it with the table so far.
# Exit status: 0 when no cell says NO, and no look was left out by Ctrl+C.
set -euo pipefail
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
filter='FullyQualifiedName~SceneMatrixTests'
[ $# = 0 ] || filter="$filter&DisplayName~$1"
exec python3 - "$repository/artifacts/bin/Dump.EndToEnd.Tests/release/Dump.EndToEnd.Tests.dll" "$filter" << 'END'
import re, subprocess, sys

words = {'Passed': 'yes', 'Failed': 'NO', 'Skipped': '-'}
order = ['cold', 'warm', 'tiered', 'no tiers', 'no ReadyToRun', 'server GC', 'self-contained', 'single file', 'ASP.NET Core', '.NET 8', '.NET 8 warm', '.NET 9', '.NET 9 warm', '.NET 11', '.NET 11 warm', '.NET 11 runtime async']
name = re.compile(r'^\s*(Passed|Failed|Skipped) .*\(variant: "([^"]*)", scene: "([^"]*)", expected: (null|"[^"]*")\)')
scenes, variants, failing, rest = {}, [], False, []
run = subprocess.Popen(['dotnet', 'test', sys.argv[1], '--filter', sys.argv[2], '--logger', 'console;verbosity=normal'],
                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors='replace')
ended = False
try:
    for line in run.stdout:
        found = name.match(line)
        if found:
            outcome, variant, scene, expected = found.groups()
            scenes.setdefault(scene, {})[variant] = (expected.strip('"').replace('null', 'none'), words[outcome])
            if variant not in variants:
                variants.append(variant)
            print(f'{words[outcome]:3} {variant}: {scene}', file=sys.stderr, flush=True)
        elif not re.match(r'^(\s*\[xUnit|\s*$|Test Run|Total|\s+(Passed|Failed|Skipped): )', line):
            rest.append(line)
            if failing:
                print(line.rstrip(), file=sys.stderr, flush=True)
        failing = found.group(1) == 'Failed' if found else failing
    ended = True
except KeyboardInterrupt:
    pass
finally:
    if run.wait() and not scenes:
        sys.exit(''.join(rest[-20:]) or 'no test ran')

variants.sort(key=lambda one: (order.index(one) if one in order else len(order), one))
print('| scene | expected | ' + ' | '.join(variants) + ' |')
print('|---|---|' + '---|' * len(variants))
for scene in sorted(scenes):
    row = scenes[scene]
    usual = (row.get('cold') or next(iter(row.values())))[0]
    print(f'| {scene} | {usual} | ' + ' | '.join(
        '' if v not in row else row[v][1] + ('' if row[v][0] == usual else f' ({row[v][0]})') for v in variants) + ' |')
counted = [cell for row in scenes.values() for _, cell in row.values()]
print(f'\n{counted.count("yes")} yes, {counted.count("NO")} NO, {counted.count("-")} cannot be had here')
sys.exit(counted.count('NO') > 0 or not ended)
END
