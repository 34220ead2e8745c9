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
    private const string Runtime = "Microsoft.NETCore.App.Runtime.";
    private const string NativeRuntime = $"{Runtime}NativeAOT.";

    /// <summary>
    /// The components of a folder: the program first, then the others by name. Where the program is one of machine code, without assemblies beside it, what is
    /// compiled into it is listed as well, with no files.
    /// </summary>
    /// <param name="folder">A folder as <c>dotnet publish</c> leaves it.</param>
    /// <param name="assemblies">The folder of the assemblies which the program was compiled from; null for the same.</param>
    /// <exception cref="InvalidDataException">A file in the folder comes from nothing that the manifest names, so nobody could tell its licence.</exception>
    public static IReadOnlyList<ShippedComponent> Read(string folder, string? assemblies = null)
    {
        bool isNative = !File.Exists(Path.Combine(folder, $"{Program}.dll"));
        HashSet<(string Name, string Version, bool IsOwn)> compiled = [];
        using JsonDocument manifest = JsonDocument.Parse(File.ReadAllText(Path.Combine(folder, $"{Program}.deps.json")));
        Dictionary<string, string> types = manifest.RootElement.GetProperty("libraries").EnumerateObject()
            .ToDictionary(l => l.Name, l => l.Value.GetProperty("type").GetString()!);
        Dictionary<string, (string Name, string Version, bool IsOwn)> owners = [];
        foreach (JsonProperty library in manifest.RootElement.GetProperty("targets").EnumerateObject().Last().Value.EnumerateObject())
        {
            string[] files = [.. Assets(library.Value, "runtime"), .. Assets(library.Value, "native"), .. SystemAssets(library.Value)];
            foreach (string file in files.Where(f => !owners.ContainsKey(f)))
            {
                owners[file] = Owner(library.Name, types[library.Name], Path.Combine(assemblies ?? folder, file));
                if (isNative && Path.GetExtension(file) == ".dll")
                {
                    compiled.UnionWith(Compiled(owners[file]));
                }
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
            .. grouped.Select(g => g.Key).Union(compiled).Select(c => new ShippedComponent(c.Name, c.Version, c.IsOwn, [.. grouped[c]]))
                .OrderBy(c => !c.IsOwn).ThenBy(c => c.Name, StringComparer.Ordinal),
        ];
    }

    /// <summary>A component of assemblies; with the class library goes the runtime that is linked to it, which the manifest does not name.</summary>
    private static IEnumerable<(string Name, string Version, bool IsOwn)> Compiled((string Name, string Version, bool IsOwn) owner) =>
        owner.Name.StartsWith(Runtime, StringComparison.Ordinal)
            ? [owner, (NativeRuntime + owner.Name[Runtime.Length..], owner.Version, owner.IsOwn)] : [owner];

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
