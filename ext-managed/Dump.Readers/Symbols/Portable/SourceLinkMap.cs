using System.Collections.Immutable;
using System.Reflection.Metadata;
using System.Text.Json;

namespace Dump.Readers.Symbols.Portable;

/// <summary>
/// Where the source files of a build lie in its repository (dotnet/designs, "Source Link file format"): paths, or beginnings of them with a star, and
/// addresses. Nothing is fetched from there; the addresses become links.
/// </summary>
internal sealed class SourceLinkMap
{
    private const int MostEntries = 4_096;
    private const int LongestAddress = 2_048;
    private readonly ImmutableArray<(string Path, string Address)> _entries;

    private SourceLinkMap(ImmutableArray<(string, string)> entries) => _entries = entries;

    /// <summary>Reads the map of a PDB; an empty one where there is none or it is damaged.</summary>
    public static SourceLinkMap Read(MetadataReader reader)
    {
        foreach (CustomDebugInformationHandle handle in reader.GetCustomDebugInformation(EntityHandle.ModuleDefinition))
        {
            CustomDebugInformation information = reader.GetCustomDebugInformation(handle);
            if (reader.GetGuid(information.Kind) == PortablePdbLayout.SourceLink
                && reader.GetBlobReader(information.Value) is { Length: <= PortablePdbLayout.LongestSourceLink } blob)
            {
                return new SourceLinkMap(Parse(blob.ReadBytes(blob.Length)));
            }
        }

        return new SourceLinkMap([]);
    }

    /// <summary>The address of a file, http or https; null when there is none.</summary>
    /// <param name="file">Path as the PDB has it.</param>
    public string? AddressOf(string file)
    {
        foreach ((string path, string address) in _entries)
        {
            if (Match(path, address, file) is { } link)
            {
                return link.Length <= LongestAddress && Uri.TryCreate(link, UriKind.Absolute, out Uri? uri) && uri.Scheme is "https" or "http"
                    ? uri.AbsoluteUri
                    : null;
            }
        }

        return null;
    }

    private static string? Match(string path, string address, string file)
    {
        if (!path.EndsWith('*'))
        {
            return path.Equals(file, StringComparison.OrdinalIgnoreCase) ? address : null;
        }

        if (!file.StartsWith(path[..^1], StringComparison.OrdinalIgnoreCase))
        {
            return null;
        }

        IEnumerable<string> rest = file[(path.Length - 1)..].Replace('\\', '/').Split('/').Where(p => p is not ("." or "..")).Select(Uri.EscapeDataString);
        return address.Replace("*", string.Join('/', rest), StringComparison.Ordinal);
    }

    /// <summary>The longest paths first: the most exact one decides.</summary>
    private static ImmutableArray<(string, string)> Parse(byte[] json)
    {
        try
        {
            using JsonDocument map = JsonDocument.Parse(json, new JsonDocumentOptions { MaxDepth = 8, CommentHandling = JsonCommentHandling.Skip });
            return map.RootElement.ValueKind == JsonValueKind.Object && map.RootElement.TryGetProperty("documents", out JsonElement documents)
                && documents.ValueKind == JsonValueKind.Object
                ?
                [
                    .. documents.EnumerateObject().Take(MostEntries).Where(e => e.Value.ValueKind == JsonValueKind.String)
                        .Select(e => (e.Name, e.Value.GetString()!)).OrderByDescending(e => e.Name.Length),
                ]
                : [];
        }
        catch (Exception error) when (error is JsonException or InvalidOperationException)
        {
            return [];
        }
    }
}
