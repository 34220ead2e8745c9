#!/usr/bin/env bash
# lab/matrix.sh [FILTER]: looks at every scene of samples/managed in every variant of production (compiled cold and warm, other runtimes, server GC, self-contained,
# single file, inside ASP.NET Core under load) and prints a table: "yes" the scene got its verdict, "NO" it did not, "-" the variant cannot be had here or has no such
# scene. FILTER is a part of the tests' names, for example "variant: \"warm\"". Build first; takes about an hour.
# Exit status: 0 when no cell says NO.
set -euo pipefail
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
filter='FullyQualifiedName~SceneMatrixTests'
[ $# = 0 ] || filter="$filter&DisplayName~$1"
dotnet test "$repository/artifacts/bin/Dump.EndToEnd.Tests/release/Dump.EndToEnd.Tests.dll" --filter "$filter" --logger 'trx;LogFileName=matrix.trx' --results-directory "$results" > "$results/log" 2>&1 < /dev/null || true
[ -e "$results/matrix.trx" ] || { tail -n 20 "$results/log" >&2; exit 1; }
python3 - "$results/matrix.trx" << 'END'
import re, sys
import xml.etree.ElementTree as tree

space = '{http://microsoft.com/schemas/VisualStudio/TeamTest/2010}'
cells, variants = {}, []
words = {'Passed': 'yes', 'Failed': 'NO', 'NotExecuted': '-'}
for result in tree.parse(sys.argv[1]).getroot().iter(space + 'UnitTestResult'):
    match = re.search(r'variant: "([^"]*)", scene: "([^"]*)", expected: (null|"[^"]*")', result.get('testName'))
    variant, scene, expected = match.groups()
    cells.setdefault((scene, expected.strip('"').replace('null', 'none')), {})[variant] = words[result.get('outcome')]
    if variant not in variants:
        variants.append(variant)
order = ['cold', 'warm', 'tiered', 'no tiers', 'no ReadyToRun', 'server GC', 'self-contained', 'single file', 'ASP.NET Core']
variants.sort(key=lambda name: (order.index(name) if name in order else len(order), name))
scenes = {}
for (scene, expected), row in cells.items():
    for variant, cell in row.items():
        scenes.setdefault(scene, {})[variant] = (expected, cell)
print('| scene | expected | ' + ' | '.join(variants) + ' |')
print('|---|---|' + '---|' * len(variants))
for scene in sorted(scenes):
    row = scenes[scene]
    usual = (row.get('cold') or next(iter(row.values())))[0]
    print(f'| {scene} | {usual} | ' + ' | '.join(
        '' if v not in row else row[v][1] + ('' if row[v][0] == usual else f' ({row[v][0]})') for v in variants) + ' |')
counted = [cell for row in scenes.values() for _, cell in row.values()]
print(f'\n{counted.count("yes")} yes, {counted.count("NO")} NO, {counted.count("-")} cannot be had here')
sys.exit(counted.count('NO') > 0)
END
