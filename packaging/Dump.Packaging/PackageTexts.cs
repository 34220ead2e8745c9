using System.Xml.Linq;

namespace Dump.Packaging;

/// <summary>What a restored NuGet package says about itself: its licence, its copyright line, its home, and the texts that must go with its files.</summary>
/// <param name="License">SPDX identifier.</param>
/// <param name="Copyright">The line, or null where the package has none.</param>
/// <param name="Home">Address of the project, or null.</param>
/// <param name="Hash">SHA-512 of the package file in lower-case hexadecimal, or null where NuGet kept none.</param>
/// <param name="Texts">Texts of the licence and of third parties, in this order.</param>
public sealed record PackageTexts(string License, string? Copyright, string? Home, string? Hash, IReadOnlyList<string> Texts)
{
    /// <summary>Texts of licences without a copyright line, by SPDX identifier, for packages that state one and do not bring its text.</summary>
    private static readonly Dictionary<string, string> s_known = new()
    {
        ["MIT"] = Read("mit"),
        ["Apache-2.0"] = Read("apache-2.0"),
        ["PostgreSQL"] = Read("postgresql"),
    };

    /// <summary>SPDX identifiers of packages that bring the text of their licence and do not name it.</summary>
    private static readonly Dictionary<string, string> s_named = new() { ["SourceGear.sqlite3"] = "blessing" };

    /// <summary>Reads a package.</summary>
    /// <param name="packages">NuGet's folder of restored packages.</param>
    /// <param name="name">Name of the package.</param>
    /// <param name="version">Its version.</param>
    /// <exception cref="InvalidDataException">The package is not there, or states a licence whose text it does not bring and that is not known here.</exception>
    public static PackageTexts Read(string packages, string name, string version)
    {
        string folder = Path.Combine(packages, name.ToLowerInvariant(), version);
        string specification = Path.Combine(folder, $"{name.ToLowerInvariant()}.nuspec");
        if (!File.Exists(specification))
        {
            throw new InvalidDataException($"The package {name} {version} is not restored: {specification} is missing.");
        }

        XElement metadata = XDocument.Load(specification).Root!.Elements().Single(e => e.Name.LocalName == "metadata");
        string? Value(string element) => metadata.Elements().FirstOrDefault(e => e.Name.LocalName == element)?.Value.Trim();
        string license = s_named.GetValueOrDefault(name) ?? Value("license")
            ?? throw new InvalidDataException($"The package {name} {version} states no licence.");
        string[] files = [.. Directory.EnumerateFiles(folder, "*.txt", new EnumerationOptions { MatchCasing = MatchCasing.CaseInsensitive })];
        string[] texts = [.. new[] { "LICENSE", "THIRD-PARTY" }.SelectMany(start => files.Where(f => IsCalled(f, start)).Select(Clean))];
        if (!files.Any(f => IsCalled(f, "LICENSE")))
        {
            texts = s_known.TryGetValue(license, out string? known)
                ? [$"{Value("copyright") ?? $"Copyright (c) {Value("authors")}"}\n\n{known}", .. texts]
                : throw new InvalidDataException($"The package {name} {version} has the licence {license} and does not bring its text.");
        }

        string hash = Path.Combine(folder, $"{name.ToLowerInvariant()}.{version}.nupkg.sha512");
        return new PackageTexts(license, Value("copyright"), Value("projectUrl"),
            File.Exists(hash) ? Convert.ToHexStringLower(Convert.FromBase64String(File.ReadAllText(hash).Trim())) : null, texts);
    }

    private static bool IsCalled(string file, string start) => Path.GetFileName(file).StartsWith(start, StringComparison.OrdinalIgnoreCase);

    private static string Clean(string file) => File.ReadAllText(file).ReplaceLineEndings("\n").Trim() + "\n";

    private static string Read(string license)
    {
        using Stream stream = typeof(PackageTexts).Assembly.GetManifestResourceStream($"Dump.Packaging.{license}.txt")!;
        using StreamReader reader = new(stream);
        return reader.ReadToEnd();
    }
}
