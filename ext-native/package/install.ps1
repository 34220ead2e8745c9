# install.ps1 [-Remove]: puts the extension into the gallery of WinDbg, cdb and ntsd of this user, so that its commands load it; -Remove takes it away.
# Run it from the unpacked folder. Debuggers that run must be started anew.
param([switch] $Remove)
$ErrorActionPreference = 'Stop'
$gallery = Join-Path $env:LOCALAPPDATA 'Dbg\UserExtensions\Dump'
if (-not $Remove -and $PSScriptRoot.StartsWith($gallery, [StringComparison]::OrdinalIgnoreCase)) { 'This is the installed folder already.'; return }
if (Test-Path $gallery) { Remove-Item $gallery -Recurse -Force }
if ($Remove) { "Removed $gallery"; return }
[xml] $manifest = Get-Content (Join-Path $PSScriptRoot 'gallery\GalleryManifest.xml')
$library = Join-Path $gallery $manifest.ExtensionPackages.ExtensionPackage.Version
New-Item $library -ItemType Directory -Force | Out-Null
Copy-Item (Join-Path $PSScriptRoot 'gallery\GalleryManifest.xml') $gallery
Copy-Item (Join-Path $PSScriptRoot '*') $library -Recurse
"Installed $library"
