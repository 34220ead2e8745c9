#!/usr/bin/env bash
# packaging/windbg.sh: builds dist/dump-win-x64.zip: the debugger extension dumpext.dll with the program dumpanalyze that answers for it. Prints its name.
# Needs what demo.sh needs (Debian with the .NET 10 SDK; installs the rest), and Debian's cmake. Exit status: 0 built; 3 something cannot be had here.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"
cd "$repository"

lab/setup.sh
layout=$(lab/extension.sh)
folder=dump-win-x64
rm -rf dist/$folder dist/$folder.zip
mkdir -p dist/$folder/engine dist/$folder/gallery
cp "$layout/dumpext.dll" ext-native/package/dumpext.alz LICENSE dist/$folder/
cp ext-native/package/README.txt dist/$folder/README.txt
# Windows' interpreter of .cmd files wants its own ends of lines.
for file in ext-native/package/install.*; do
    sed "s/@VERSION@/$version/g; s/\$/\r/" "$file" > "dist/$folder/$(basename "$file")"
done
for file in ext-native/package/gallery/*; do
    sed "s/@VERSION@/$version/g" "$file" > "dist/$folder/gallery/$(basename "$file")"
done
cp -RL "$layout/engine/." dist/$folder/engine/
find dist/$folder -name '*.pdb' -delete
describe dist/$folder/engine dist/$folder.cdx.json
packaging_program zip dist/$folder dist/$folder.zip
printf '%s\n' "dist/$folder.zip"
