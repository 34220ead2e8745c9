# Sourced by the lab's scripts: packages of NuGet as files, referenced by nothing; rights to install Debian's.

# package_directory PACKAGE VERSION: where NuGet keeps a restored package.
package_directory() {
    printf '%s\n' "${NUGET_PACKAGES:-$HOME/.nuget/packages}/${1,,}/$2"
}

# download_package PACKAGE VERSION DIRECTORY: restores a package; DIRECTORY takes the project that asks for it.
download_package() {
    command -v dotnet > /dev/null || { printf 'dotnet is not on the path\n'; return 1; }
    mkdir -p "$3"
    write_download_project "$@"
    MSBUILDDISABLENODEREUSE=1 dotnet restore "$3/download.csproj" < /dev/null
}

# A project of its own, shielded from the repository's build files; PackageDownload fetches without referencing.
write_download_project() {
    local package=$1 version=$2 directory=$3 file
    for file in Directory.Build.props Directory.Build.targets Directory.Packages.props; do
        printf '<Project />\n' > "$directory/$file"
    done
    printf '%s\n' \
        '<Project Sdk="Microsoft.NET.Sdk">' \
        '  <PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup>' \
        "  <ItemGroup><PackageDownload Include=\"$package\" Version=\"[$version]\" /></ItemGroup>" \
        '</Project>' > "$directory/download.csproj"
}

# apt_install LOG PACKAGE...: installs Debian packages quietly; what apt-get says goes to LOG. False where it cannot.
# One at a time on this machine: while the lists of another call arrive, no package is known. RUNLEVEL=1: the packages' own daemons stay down.
apt_install() {
    local log=$1
    shift
    command -v apt-get > /dev/null || return 1
    mkdir -p "$(dirname "$log")"
    (
        flock 8
        as_root env DEBIAN_FRONTEND=noninteractive apt-get update > "$log" 2>&1 < /dev/null 8<&- || true
        as_root env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "$@" >> "$log" 2>&1 < /dev/null 8<&-
    ) 8< /var/lib/apt
}

# as_root COMMAND...: runs it as root where that needs no password.
as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo > /dev/null && sudo -n true 2> /dev/null; then
        sudo -n "$@"
    else
        return 1
    fi
}
