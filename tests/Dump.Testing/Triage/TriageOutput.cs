using System.Text.Json.Nodes;

namespace Dump.Testing.Triage;

/// <summary>What a run of <c>dumpanalyze triage</c> left, read by the documented form alone (docs/triage.md), without the code that wrote it.</summary>
public sealed class TriageOutput
{
    private const string Timing = "timing";
    private readonly Dictionary<(string Path, string? Member), JsonObject> _byPlace = [];

    private TriageOutput(SortedDictionary<string, string> files) => Files = files;

    /// <summary>Text of every file by its path inside of the folder, without the parts that are called <c>timing</c>.</summary>
    public IReadOnlyDictionary<string, string> Files { get; }

    /// <summary>How many records there are.</summary>
    public int Records { get; private set; }

    /// <summary>Reads a folder.</summary>
    /// <exception cref="InvalidDataException">A file is there that no finished run leaves.</exception>
    public static TriageOutput Read(string folder)
    {
        SortedDictionary<string, string> files = new(StringComparer.Ordinal);
        TriageOutput output = new(files);
        foreach (string path in Directory.EnumerateFiles(folder, "*", SearchOption.AllDirectories))
        {
            string name = Path.GetRelativePath(folder, path).Replace('\\', '/');
            bool isRecord = name.StartsWith("records/", StringComparison.Ordinal);
            if (!isRecord && !name.EndsWith(".json", StringComparison.Ordinal) && !name.EndsWith(".jsonl", StringComparison.Ordinal))
            {
                continue;
            }

            JsonObject[] lines = [.. Documents(path).Select(t => JsonNode.Parse(t)?.AsObject()
                ?? throw new InvalidDataException($"{name} has an empty document."))];
            if (isRecord)
            {
                output.Add(Checked(lines.Length == 1 ? lines[0] : null, name));
            }

            files.Add(name, string.Join('\n', lines.Select(l => WithoutTiming(l)!.ToJsonString())));
        }

        return output;
    }

    /// <summary>
    /// Number of whole records in a folder whose run may have been killed at any moment. Files that are being written have other names than records.
    /// </summary>
    /// <exception cref="System.Text.Json.JsonException">A record is not whole.</exception>
    public static int CountWhole(string folder)
    {
        string records = Path.Combine(folder, "records");
        string[] files = Directory.Exists(records) ? Directory.GetFiles(records, "*.json", SearchOption.AllDirectories) : [];
        foreach (string file in files)
        {
            Checked(JsonNode.Parse(File.ReadAllText(file))?.AsObject(), Path.GetRelativePath(folder, file).Replace('\\', '/'));
        }

        return files.Length;
    }

    /// <summary>The record of a dump, or null.</summary>
    public JsonObject? RecordOf(FolderDump dump) => _byPlace.GetValueOrDefault((dump.Path, dump.Member));

    /// <summary>
    /// What differs from another run over the same dumps, in words; null when nothing does. The path of the first file that differs, and the part of it that
    /// differs.
    /// </summary>
    public string? DifferenceFrom(TriageOutput other)
    {
        foreach (string name in Files.Keys.Union(other.Files.Keys).Order(StringComparer.Ordinal))
        {
            string? here = Files.GetValueOrDefault(name), there = other.Files.GetValueOrDefault(name);
            if (here != there)
            {
                int at = here is null || there is null ? 0 : here.Zip(there).TakeWhile(p => p.First == p.Second).Count();
                return $"{name}: '{Around(here, at)}' and '{Around(there, at)}'";
            }
        }

        return null;
    }

    /// <summary>Which dumps were not treated as they must be, a line each.</summary>
    /// <param name="dumps">What was to be triaged.</param>
    public IReadOnlyList<string> Faults(IReadOnlyList<FolderDump> dumps)
    {
        List<string> faults = [.. dumps.Select(d => (Dump: d, Fault: Fault(d))).Where(f => f.Fault is not null)
            .Select(f => $"{f.Dump.Path} {f.Dump.Member} ({f.Dump.Kind} of {f.Dump.Seed.Name}): {f.Fault}")];
        int contents = dumps.DistinctBy(d => d.Content).Count();
        if (Records != contents)
        {
            faults.Add($"{Records} records for {contents} contents");
        }

        return faults;
    }

    private string? Fault(FolderDump dump)
    {
        if (RecordOf(dump) is not { } record)
        {
            return "no record";
        }

        string outcome = (string)record["outcome"]!;
        JsonNode? report = record["report"];
        string[] verdicts = [.. (report?["verdicts"]?.AsArray() ?? []).Select(v => (string)v!["id"]!)];
        bool isAllClear = outcome == "Analysed" && verdicts.Length == 0 && !(bool)report!["undecidable"]!;
        return dump.Kind switch
        {
            FolderDumpKind.Damaged => outcome == "Unreadable" && !string.IsNullOrWhiteSpace((string?)record["reason"]) ? null
                : $"{outcome}, because '{record["reason"]}'",
            FolderDumpKind.Cut => outcome is "Analysed" or "Unreadable" && !isAllClear ? null : $"{outcome}{(isAllClear ? ", all clear" : "")}",
            _ when outcome != "Analysed" => $"{outcome}, because '{record["reason"]}'",
            _ => dump.Seed.Expectation is null || dump.Seed.Expectation == (verdicts.Length == 0 ? DumpSeed.NoVerdict : verdicts[0]) ? null
                : $"{string.Join(' ', verdicts)} instead of {dump.Seed.Expectation}",
        };
    }

    private void Add(JsonObject record)
    {
        Records++;
        foreach (JsonNode? source in new[] { record["source"] }.Concat(record["sources"]?.AsArray() ?? []))
        {
            _byPlace.Add(((string)source!["path"]!, (string?)source["member"]), record);
        }
    }

    private static JsonObject Checked(JsonObject? record, string name) =>
        record is not null && name == $"records/{((string)record["identity"]!)[..2]}/{record["identity"]}.json" ? record
            : throw new InvalidDataException($"{name} is no record, or another's.");

    /// <summary>Files of lines have a document a line, others one.</summary>
    private static IEnumerable<string> Documents(string path) => path.EndsWith(".jsonl", StringComparison.Ordinal) ? File.ReadLines(path)
        : [File.ReadAllText(path)];

    private static JsonNode? WithoutTiming(JsonNode? node)
    {
        if (node is JsonObject fields)
        {
            fields.Remove(Timing);
        }

        foreach (JsonNode? child in node switch { JsonObject o => o.Select(p => p.Value), JsonArray a => a, _ => Enumerable.Empty<JsonNode?>() })
        {
            WithoutTiming(child);
        }

        return node;
    }

    private static string Around(string? text, int at) => text is null ? "(not there)"
        : text.Substring(Math.Max(0, at - 40), Math.Min(120, text.Length - Math.Max(0, at - 40)));
}
