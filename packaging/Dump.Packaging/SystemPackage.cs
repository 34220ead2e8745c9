namespace Dump.Packaging;

/// <summary>A package of Debian of which a container image has files, as <c>var/lib/dpkg/status.d</c> of the image records it.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Version">Its version.</param>
/// <param name="Architecture">What it is built for.</param>
/// <param name="Files">The image's files that come from it, sorted.</param>
public sealed record SystemPackage(string Name, string Version, string Architecture, IReadOnlyList<string> Files)
{
    private const string Records = "var/lib/dpkg/status.d";
    private const string Sums = ".md5sums";

    /// <summary>Where the image has its terms.</summary>
    public string Terms => $"usr/share/doc/{Name}/copyright";

    /// <summary>The packages of an image, by name.</summary>
    /// <param name="root">The image's root folder.</param>
    public static IReadOnlyList<SystemPackage> Read(string root) =>
    [
        .. Directory.EnumerateFiles(Path.Combine(root, Records), $"*{Sums}").Order(StringComparer.Ordinal).Select(sums =>
        {
            Dictionary<string, string> fields = File.ReadLines(sums[..^Sums.Length]).Where(l => !l.StartsWith(' ')).Select(l => l.Split(": ", 2))
                .Where(f => f.Length == 2).ToDictionary(f => f[0], f => f[1]);
            string[] files = [.. File.ReadLines(sums).Select(l => l.Split("  ", 2)[1]).Order(StringComparer.Ordinal)];
            return new SystemPackage(fields["Package"], fields["Version"], fields["Architecture"], files);
        }),
    ];

    /// <summary>Its package URL.</summary>
    /// <param name="distribution">The system that it is a package of, such as <c>debian-12</c>.</param>
    public string Reference(string distribution) =>
        $"pkg:deb/debian/{Uri.EscapeDataString(Name)}@{Uri.EscapeDataString(Version)}?arch={Architecture}&distro={distribution}";
}
