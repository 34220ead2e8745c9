using System.Text.Json;
using System.Text.RegularExpressions;
using Dump.Model.Facts;

namespace Dump.Reports.Merging;

/// <summary>Places in code as SARIF has them.</summary>
internal static partial class SarifPlaces
{
    // What .NET's compiler writes in the place of the repository's directory in builds that do not depend on the machine.
    private const string RepositoryRoot = "/_/";
    private const string Here = "./";

    /// <summary>Writes the properties of a location: the function, and the line where it is known.</summary>
    /// <param name="json">Stands inside of the location.</param>
    /// <param name="code">The function, or module and offset.</param>
    /// <param name="source">The line; null when unknown.</param>
    public static void Write(Utf8JsonWriter json, string code, SourceLocation? source)
    {
        if (source is not null && Address(source) is { } address)
        {
            json.WriteStartObject("physicalLocation");
            json.WriteStartObject("artifactLocation");
            json.WriteString("uri", address);
            json.WriteEndObject();
            json.WriteStartObject("region");
            json.WriteNumber("startLine", source.Line);
            if (source.Column is { } column)
            {
                json.WriteNumber("startColumn", column);
            }

            json.WriteEndObject();
            json.WriteEndObject();
        }

        json.WriteStartArray("logicalLocations");
        json.WriteStartObject();
        json.WriteString("fullyQualifiedName", code);
        json.WriteEndObject();
        json.WriteEndArray();
    }

    /// <summary>
    /// The address of a source file: its path in the repository where SourceLink or the compiler's own mark tells it, so that code-scanning pages find it; a path
    /// of the build's machine as one of a file; any other path as it is, relative. Null where the path makes no address.
    /// </summary>
    internal static string? Address(SourceLocation source)
    {
        if (source.Link is { } link && GitHubFile().Match(link) is { Success: true } file)
        {
            return file.Groups["path"].Value;
        }

        string path = source.File.Replace('\\', '/');
        foreach (string start in (string[])[RepositoryRoot, Here])
        {
            path = path.StartsWith(start, StringComparison.Ordinal) ? path[start.Length..] : path;
        }

        string escaped = string.Join('/', path.Split('/').Select(Uri.EscapeDataString));
        return path switch
        {
            "" => null,
            ['/', '/', ..] => $"file:{escaped}",
            ['/', ..] => $"file://{escaped}",
            [_, ':', '/', ..] => $"file:///{path[0]}:{escaped[4..]}",
            _ => escaped,
        };
    }

    [GeneratedRegex("^https://raw\\.githubusercontent\\.com/[^/]+/[^/]+/[^/]+/(?<path>[^?#]+)$", RegexOptions.CultureInvariant)]
    private static partial Regex GitHubFile();
}
