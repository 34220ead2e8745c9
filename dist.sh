#!/usr/bin/env bash
# dist.sh: builds dist/dump-win-x64.zip: the debugger extension dumpext.dll with the program dumpanalyze that answers for it.
# Needs what demo.sh needs (Debian with the .NET 10 SDK; installs the rest), and Debian's cmake. Exit status: 0 built; 3 something cannot be had here.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

lab/setup.sh
layout=$(lab/extension.sh)
folder=dump-win-x64
rm -rf dist/$folder dist/$folder.zip
mkdir -p dist/$folder/engine
cp "$layout/dumpext.dll" ext-native/package/dumpext.alz LICENSE dist/$folder/
cp ext-native/package/README.txt dist/$folder/README.txt
version=$(sed -n 's:.*<Version>\(.*\)</Version>.*:\1:p' Directory.Build.props)
mkdir -p dist/$folder/gallery
for file in ext-native/package/gallery/*; do
    sed "s/@VERSION@/$version/g" "$file" > "dist/$folder/gallery/$(basename "$file")"
done
cp -RL "$layout/engine/." dist/$folder/engine/
find dist/$folder -name '*.pdb' -delete
(cd dist && cmake -E tar cf $folder.zip --format=zip $folder)
printf '%s\n' "dist/$folder.zip"
