#!/usr/bin/env bash
# packaging/tool.sh: builds dist/dumpanalyze.VERSION.nupkg, the .NET tool, and its bill of materials beside it. Prints the package's name.
# Exit status: 0 built; 3 its packages cannot be had here, 1 it does not build.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

project=$repository/ext-managed/Dump.Cli/Dump.Cli.csproj
mkdir -p "$build" "$dist"
exec 9> "$build/tool.lock"
flock 9
package=dumpanalyze.$version.nupkg
if ! is_built tool "$repository"/packaging/*tool* "$repository/packaging/Dump.Packaging" "$repository/LICENSE" || [ ! -e "$dist/$package" ]; then
    rm -rf "$build/tool/publish" "$build/tool.sha256"
    run_logged tool-publish dotnet publish "$project" -p:PublishProfile=tool --artifacts-path "$build/tool" 9>&-
    published=$build/tool/publish/Dump.Cli/release
    find "$published" -name '*.pdb' -delete
    describe "$published" "$dist/dumpanalyze.$version.cdx.json"
    run_logged tool-pack dotnet pack "$project" -p:PublishProfile=tool -p:ToolNotices="$published/THIRD-PARTY-NOTICES.txt" \
        --artifacts-path "$build/tool" -o "$dist" 9>&-
    set_built tool
fi
printf 'dist/%s\n' "$package"
