using System.Diagnostics;
using System.Text.Json;

namespace Dump.Packaging;

/// <summary>
/// Tells of each file in a published folder of the program which component it comes from, by the manifest <c>dumpanalyze.deps.json</c> in that folder.
/// </summary>
public static class ShippedFiles
{
    /// <summary>The program's name, which is that of its own component.</summary>
    public const string Program = "dumpanalyze";

    private const string RuntimePack = "runtimepack.";

    /// <summary>The components of a folder: the program first, then the others by name.</summary>
    /// <param name="folder">A folder as <c>dotnet publish</c> leaves it.</param>
    /// <exception cref="InvalidDataException">A file in the folder comes from nothing that the manifest names, so nobody could tell its licence.</exception>
    public static IReadOnlyList<ShippedComponent> Read(string folder)
    {
        using JsonDocument manifest = JsonDocument.Parse(File.ReadAllText(Path.Combine(folder, $"{Program}.deps.json")));
        Dictionary<string, string> types = manifest.RootElement.GetProperty("libraries").EnumerateObject()
            .ToDictionary(l => l.Name, l => l.Value.GetProperty("type").GetString()!);
        Dictionary<string, (string Name, string Version, bool IsOwn)> owners = [];
        foreach (JsonProperty library in manifest.RootElement.GetProperty("targets").EnumerateObject().Last().Value.EnumerateObject())
        {
            string[] files = [.. Assets(library.Value, "runtime"), .. Assets(library.Value, "native"), .. SystemAssets(library.Value)];
            foreach (string file in files.Where(f => !owners.ContainsKey(f)))
            {
                owners[file] = Owner(library.Name, types[library.Name], Path.Combine(folder, file));
            }
        }

        (string Name, string Version, bool IsOwn) own = owners[$"{Program}.dll"];
        ILookup<(string Name, string Version, bool IsOwn), string> grouped = Directory.EnumerateFiles(folder, "*", SearchOption.AllDirectories)
            .Select(f => Path.GetRelativePath(folder, f).Replace('\\', '/')).Order(StringComparer.Ordinal)
            .ToLookup(file => owners.TryGetValue(file, out (string Name, string Version, bool IsOwn) owner) ? owner
                : IsOwnFile(file) ? own
                : throw new InvalidDataException($"{file} comes from nothing that {Program}.deps.json names."));
        return
        [
            .. grouped.Select(g => new ShippedComponent(g.Key.Name, g.Key.Version, g.Key.IsOwn, [.. g]))
                .OrderBy(c => !c.IsOwn).ThenBy(c => c.Name, StringComparer.Ordinal),
        ];
    }

    private static IEnumerable<string> Assets(JsonElement library, string kind) =>
        library.TryGetProperty(kind, out JsonElement assets) ? assets.EnumerateObject().Select(a => Path.GetFileName(a.Name)) : [];

    /// <summary>Assemblies for one system each, which lie below <c>runtimes/</c> in a folder that serves several.</summary>
    private static IEnumerable<string> SystemAssets(JsonElement library) =>
        library.TryGetProperty("runtimeTargets", out JsonElement assets) ? assets.EnumerateObject().Select(a => a.Name) : [];

    private static (string Name, string Version, bool IsOwn) Owner(string library, string type, string file)
    {
        string[] parts = library.Split('/');
        return type switch
        {
            "project" => (Program, VersionOf(file), true),
            "runtimepack" => (parts[0][RuntimePack.Length..], parts[1], false),
            "package" => (parts[0], parts[1], false),

            // An assembly that is referred to as a file: its package's version is its product version without the commit.
            _ => (parts[0], VersionOf(file), false),
        };
    }

    private static string VersionOf(string file) => FileVersionInfo.GetVersionInfo(file).ProductVersion!.Split('+')[0];

    // The starter is .NET's with the program's name in it; the composite image is compiled from all assemblies beside it, whose notices hold for it.
    private static bool IsOwnFile(string file) => file is "LICENSE" or "THIRD-PARTY-NOTICES.txt" or "README.txt" or Program or $"{Program}.exe"
        or $"{Program}.r2r.dll" or $"{Program}.deps.json" or $"{Program}.runtimeconfig.json";
}
