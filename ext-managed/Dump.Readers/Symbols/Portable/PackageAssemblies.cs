using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Text.Json;
using Dump.Model.Managed;
using Dump.Readers.Files;
using Dump.Readers.Stores;

namespace Dump.Readers.Symbols.Portable;

/// <summary>
/// Which managed modules come from packages, by the dependency file of the program (<c>shop.deps.json</c> beside <c>shop.dll</c>; format: dotnet/runtime,
/// docs/design/features/host-runtime-information.md). Nothing is decided by it but which of a thread's functions is named first.
/// </summary>
/// <param name="files">Where the files lie that the process names.</param>
internal sealed class PackageAssemblies(ProcessFiles files)
{
    private const int MostModules = 2_000;
    private const int LongestFile = 16 << 20;
    private const string Assembly = ".dll";
    private const string DependencyFile = ".deps.json";

    /// <summary>The modules, with what the files say of those that lie beside them.</summary>
    /// <param name="modules">The modules.</param>
    /// <param name="paths">Paths of further modules of the process, of which one may be the program's.</param>
    public ImmutableArray<ManagedModule> Of(ImmutableArray<ManagedModule> modules, IEnumerable<string> paths)
    {
        string[] folders = [.. modules.Select(m => FolderOf(m.Path)).OfType<string>().Distinct(StringComparer.Ordinal)];
        FrozenDictionary<string, FrozenDictionary<string, bool>> known = modules.Select(m => m.Path).Concat(paths).OfType<string>()
            .Where(p => p.EndsWith(Assembly, StringComparison.OrdinalIgnoreCase) && folders.Contains(FolderOf(p), StringComparer.Ordinal))
            .Distinct(StringComparer.Ordinal).Take(MostModules)
            .Select(p => (Folder: FolderOf(p)!, Named: Read(p[..^Assembly.Length] + DependencyFile))).Where(f => f.Named is not null)
            .GroupBy(f => f.Folder, f => f.Named!, StringComparer.Ordinal).ToFrozenDictionary(g => g.Key, g => g.First(), StringComparer.Ordinal);
        return known.Count == 0 ? modules : [.. modules.Select(m => FolderOf(m.Path) is { } folder && known.TryGetValue(folder, out var named)
            && named.TryGetValue(NameOf(m.Path!), out bool isPackage) ? m with { IsPackage = isPackage } : m)];
    }

    /// <summary>The assemblies that a dependency file names: true for those of packages, false for those of projects. Null where it is none.</summary>
    /// <param name="json">The file.</param>
    internal static FrozenDictionary<string, bool>? Parse(ReadOnlyMemory<byte> json)
    {
        try
        {
            using var document = JsonDocument.Parse(json);
            if (Member(document.RootElement, "libraries") is not { } libraries || Member(document.RootElement, "targets") is not { } targets)
            {
                return null;
            }

            Dictionary<string, bool> found = new(StringComparer.OrdinalIgnoreCase);
            foreach (JsonProperty library in targets.EnumerateObject().Where(t => t.Value.ValueKind == JsonValueKind.Object).SelectMany(t => t.Value.EnumerateObject()))
            {
                string? type = Member(libraries, library.Name) is { } entry && entry.TryGetProperty("type", out JsonElement value)
                    && value.ValueKind == JsonValueKind.String ? value.GetString() : null;
                if (type is not ("package" or "project"))
                {
                    continue;
                }

                foreach (JsonElement part in new[] { "runtime", "native", "runtimeTargets" }.Select(n => Member(library.Value, n)).OfType<JsonElement>())
                {
                    foreach (JsonProperty file in part.EnumerateObject())
                    {
                        // A file of both kinds is the program's.
                        string name = NameOf(file.Name);
                        found[name] = type == "package" && found.GetValueOrDefault(name, true);
                    }
                }
            }

            return found.ToFrozenDictionary(StringComparer.OrdinalIgnoreCase);
        }
        catch (Exception error) when (error is JsonException or InvalidOperationException)
        {
            return null;
        }
    }

    private static JsonElement? Member(JsonElement element, string name) =>
        element.ValueKind == JsonValueKind.Object && element.TryGetProperty(name, out JsonElement value) && value.ValueKind == JsonValueKind.Object ? value : null;

    private static string? FolderOf(string? path) => path?.LastIndexOfAny(['/', '\\']) is > 0 and var end ? path[..end] : null;

    private static string NameOf(string path) => path[(path.LastIndexOfAny(['/', '\\']) + 1)..];

    private FrozenDictionary<string, bool>? Read(string path)
    {
        try
        {
            if (files.Existing(path) is not { } place)
            {
                return null;
            }

            using FileStream file = RegularFile.OpenRead(place, owners: files.Owners);
            if (file.Length > LongestFile)
            {
                return null;
            }

            byte[] content = new byte[file.Length];
            file.ReadExactly(content);
            return Parse(content);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or InvalidDumpException)
        {
            return null;
        }
    }
}
