#!/usr/bin/env bash
# packaging/winget.sh: writes dist/dumpanalyze-VERSION-winget/, the manifests with which winget installs the win-x64 archive, which it builds first; prints
# their names. Needs DownloadUrl=https://..., the folder from which that archive will be downloaded.
# Exit status: 0 written; 2 without DownloadUrl, 3 the archive's packages cannot be had here, 1 it does not build.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

[[ ${DownloadUrl:-} =~ ^https://[A-Za-z0-9._~:/%+-]+$ ]] || {
    printf 'dist: winget needs DownloadUrl=https://..., the folder from which the win-x64 archive will be downloaded\n' >&2
    exit 2
}
"$repository/packaging/archive.sh" win-x64 > /dev/null
archive=dumpanalyze-$version-win-x64.zip
hash=$(sha256sum "$dist/$archive" | cut -d ' ' -f 1)
identifier=$(sed -n 's/^PackageIdentifier: //p' "$repository/packaging/winget/version.yaml")
folder=dumpanalyze-$version-winget
exec 8> "$build/winget.lock"
flock 8
rm -rf "$dist/$folder"
mkdir "$dist/$folder"
for file in version installer locale.en-US; do
    name=$folder/$identifier.$file.yaml
    [ $file != version ] || name=$folder/$identifier.yaml
    sed "s|@VERSION@|$version|g; s|@URL@|${DownloadUrl%/}/$archive|; s|@HASH@|${hash^^}|" "$repository/packaging/winget/$file.yaml" > "$dist/$name"
    printf 'dist/%s\n' "$name"
done
