using System.Collections.Immutable;
using System.Text.Json;
using Dump.Model;
using Dump.Model.Triage;

namespace Dump.Analysis.Knowledge;

/// <summary>Reads a list of known issues; everything that is not as documented is an error that names its entry.</summary>
internal static class KnownIssuesJson
{
    private const string Schema = "known-issues/1";
    private const int MostEntries = 10_000;
    private const int MostParts = 100;
    private const int MostCharacters = 4 * 1024 * 1024;
    private const int LongestText = 1_000;

    /// <summary>Reads it.</summary>
    /// <exception cref="InvalidKnownIssuesException">It is no such list.</exception>
    public static IReadOnlyList<KnownIssueRule> Read(string text)
    {
        if (text.Length > MostCharacters)
        {
            throw new InvalidKnownIssuesException($"it is longer than {MostCharacters} characters");
        }

        using JsonDocument document = Parse(text);
        JsonElement root = document.RootElement;
        if (root.ValueKind != JsonValueKind.Object || !root.TryGetProperty("schema", out JsonElement schema) || schema.ValueKind != JsonValueKind.String || schema.GetString() != Schema)
        {
            throw new InvalidKnownIssuesException($"it does not begin with \"schema\": \"{Schema}\"");
        }

        CheckFields(root, "it", "schema", "issues");
        if (!root.TryGetProperty("issues", out JsonElement issues) || issues.ValueKind != JsonValueKind.Array || issues.GetArrayLength() > MostEntries)
        {
            throw new InvalidKnownIssuesException($"\"issues\" is not an array of at most {MostEntries} entries");
        }

        KnownIssueRule[] read = [.. issues.EnumerateArray().Select(Entry)];
        return read.GroupBy(r => r.Id).FirstOrDefault(g => g.Count() > 1)?.Key is { } twice ? throw new InvalidKnownIssuesException($"{Quote(twice)} stands there twice") : read;
    }

    private static JsonDocument Parse(string text)
    {
        try
        {
            return JsonDocument.Parse(text, new JsonDocumentOptions { MaxDepth = 8, AllowDuplicateProperties = false });
        }
        catch (JsonException error)
        {
            throw new InvalidKnownIssuesException($"it is not JSON: {SafeText.Clean(error.Message, LongestText)}");
        }
    }

    private static KnownIssueRule Entry(JsonElement entry, int index)
    {
        string where = $"entry {index + 1}";
        CheckFields(entry, where, "id", "title", "explanation", "reference", "detectors", "frames", "sameThread", "versions");
        ImmutableArray<string> detectors = Texts(entry, "detectors", where);
        ImmutableArray<KnownIssueFrame> frames = Frames(entry, where);
        if (detectors.IsEmpty || detectors.FirstOrDefault(d => DetectorRegistry.Descriptors.All(r => r.Id != d)) is not null)
        {
            throw new InvalidKnownIssuesException($"{where}: \"detectors\" does not hold ids of detectors");
        }

        return new KnownIssueRule(
            Text(entry, "id", where), detectors, frames, Flag(entry, "sameThread", where), Versions(entry, where),
            new KnownIssue(Text(entry, "title", where), Text(entry, "explanation", where), entry.TryGetProperty("reference", out _) ? Reference(entry, where) : null));
    }

    /// <summary>Reports make links of it.</summary>
    private static string Reference(JsonElement entry, string where) => Text(entry, "reference", where) is var text
        && Uri.TryCreate(text, UriKind.Absolute, out Uri? address) && address.Scheme is "https" or "http"
            ? text
            : throw new InvalidKnownIssuesException($"{where}: \"reference\" is no address that begins with https:// or http://");

    private static ImmutableArray<KnownIssueFrame> Frames(JsonElement entry, string where)
    {
        if (!entry.TryGetProperty("frames", out JsonElement frames))
        {
            return [];
        }

        return frames.ValueKind == JsonValueKind.Array && frames.GetArrayLength() <= MostParts
            ? [.. frames.EnumerateArray().Select(f => Frame(f, where))]
            : throw new InvalidKnownIssuesException($"{where}: \"frames\" is not a list of at most {MostParts}");
    }

    private static KnownIssueFrame Frame(JsonElement frame, string where)
    {
        CheckFields(frame, $"a frame of {where}", "modules", "functions");
        KnownIssueFrame read = new([.. Texts(frame, "modules", where).Select(m => Triage.ModuleNames.Normal(m))], Texts(frame, "functions", where));
        return read.Modules.IsEmpty && read.Functions.IsEmpty ? throw new InvalidKnownIssuesException($"a frame of {where} names neither modules nor functions") : read;
    }

    private static KnownIssueVersions? Versions(JsonElement entry, string where)
    {
        if (!entry.TryGetProperty("versions", out JsonElement versions))
        {
            return null;
        }

        CheckFields(versions, $"\"versions\" of {where}", "module", "from", "before");
        KnownIssueVersions read = new(
            Triage.ModuleNames.Normal(Text(versions, "module", where)),
            versions.TryGetProperty("from", out _) ? Text(versions, "from", where) : null,
            versions.TryGetProperty("before", out _) ? Text(versions, "before", where) : null);
        return (read.From is null || KnownIssueVersions.Parse(read.From) is not null) && (read.Before is null || KnownIssueVersions.Parse(read.Before) is not null)
            ? read
            : throw new InvalidKnownIssuesException($"{where}: a version is not up to four numbers between full stops");
    }

    private static void CheckFields(JsonElement value, string where, params ReadOnlySpan<string> known)
    {
        if (value.ValueKind != JsonValueKind.Object)
        {
            throw new InvalidKnownIssuesException($"{where} is not an object");
        }

        foreach (JsonProperty field in value.EnumerateObject())
        {
            if (!known.Contains(field.Name))
            {
                throw new InvalidKnownIssuesException($"{where} has an unknown field {Quote(field.Name)}");
            }
        }
    }

    private static ImmutableArray<string> Texts(JsonElement entry, string field, string where) => !entry.TryGetProperty(field, out JsonElement list) ? []
        : list.ValueKind == JsonValueKind.Array && list.GetArrayLength() <= MostParts ? [.. list.EnumerateArray().Select(t => Text(t, field, where))]
        : throw new InvalidKnownIssuesException($"{where}: \"{field}\" is not a list of at most {MostParts} texts");

    private static bool Flag(JsonElement entry, string field, string where) => entry.TryGetProperty(field, out JsonElement value)
        && (value.ValueKind is JsonValueKind.True or JsonValueKind.False ? value.GetBoolean() : throw new InvalidKnownIssuesException($"{where}: \"{field}\" is neither true nor false"));

    private static string Text(JsonElement entry, string field, string where) =>
        (entry.ValueKind == JsonValueKind.String ? entry : entry.TryGetProperty(field, out JsonElement value) ? value : default) is { ValueKind: JsonValueKind.String } found
        && found.GetString() is { } text && text.Trim().Length > 0 && text.Length <= LongestText && SafeText.Clean(text) == text
            ? text.Trim()
            : throw new InvalidKnownIssuesException($"{where}: \"{field}\" is not a text of 1 to {LongestText} printable characters");

    private static string Quote(string text) => SafeText.Quote(SafeText.Clean(text));
}
