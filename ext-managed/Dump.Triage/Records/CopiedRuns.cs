using System.Text.Json;
using Dump.Model.Text;
using Dump.Readers.Files;

namespace Dump.Triage.Records;

/// <summary>
/// The runs whose records were copied into a folder, kept in a file of its own: one that ends later takes the place of what was known of it, and what the
/// folder's own runs leave is told from what was copied.
/// </summary>
internal sealed class CopiedRuns
{
    /// <summary>Name of the file.</summary>
    public const string FileName = "copied-runs.json";

    /// <summary>Begins the keys of the folder's own runs, wherever it is moved to; the name of their summary follows, or nothing for the run over all dumps.</summary>
    public const string Own = "own:";

    private const string Schema = "dump-copied-runs/1";
    private const long LongestFile = 1L << 30;
    private const int MostRuns = 1_000_000;

    /// <summary>The runs, the folder's own among them as they were when something was copied last.</summary>
    public IReadOnlyList<StoredRun> Runs { get; init; } = [];

    /// <summary>Hashes of the summaries that were written with them, by the names of their files.</summary>
    public IReadOnlyDictionary<string, string> Written { get; init; } = new Dictionary<string, string>();

    /// <summary>The hash of a summary.</summary>
    public static string HashOf(ReadOnlySpan<byte> summary) => Convert.ToHexStringLower(Sha256.HashData(summary));

    /// <summary>Reads the file of a folder.</summary>
    /// <returns>Null when it is not there or damaged.</returns>
    public static CopiedRuns? Read(string folder)
    {
        try
        {
            using FileStream file = RegularFile.OpenRead(Path.Combine(folder, FileName));
            if (file.Length > LongestFile)
            {
                return null;
            }

            using var json = JsonDocument.Parse(file);
            return json.RootElement.Text("schema") != Schema ? null : new CopiedRuns
            {
                Runs = [.. json.RootElement.List("runs").Take(MostRuns).Select(Run)],
                Written = json.RootElement.List("written").Take(Shard.Most).ToDictionary(w => Required(w, "name"), w => Required(w, "hash"), StringComparer.Ordinal),
            };
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or JsonException or InvalidOperationException or FormatException
            or ArgumentException)
        {
            return null;
        }
    }

    /// <summary>Writes the file.</summary>
    /// <param name="folder">The folder.</param>
    /// <param name="run">Name of what writes.</param>
    /// <exception cref="UnwritableRecordException">It cannot be written.</exception>
    public void Write(string folder, string run) => AtomicFile.Write(Path.Combine(folder, FileName), run, output =>
    {
        using Utf8JsonWriter json = new(output, new JsonWriterOptions { Indented = true, NewLine = "\n" });
        json.WriteStartObject();
        json.WriteString("schema", Schema);
        json.WriteStartArray("runs");
        foreach (StoredRun copied in Runs)
        {
            json.WriteStartObject();
            json.WriteString("key", copied.Key);
            json.WriteString("machine", copied.Machine);
            json.WriteString("inputs", copied.Inputs);
            json.WriteString("shard", copied.Shard);
            json.WriteString("started", copied.Started?.ToUniversalTime().ToString("O", System.Globalization.CultureInfo.InvariantCulture));
            json.WritePropertyName("summary");
            if (copied.Summary is { } summary)
            {
                json.WriteBase64StringValue(summary.Span);
            }
            else
            {
                json.WriteNullValue();
            }

            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteStartArray("written");
        foreach ((string name, string hash) in Written.OrderBy(w => w.Key, StringComparer.Ordinal))
        {
            json.WriteStartObject();
            json.WriteString("name", name);
            json.WriteString("hash", hash);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
    });

    private static StoredRun Run(JsonElement json) => new(
        Required(json, "key"), json.Text("machine"), Required(json, "inputs"), json.Text("shard"),
        json.Text("started") is { } started ? DateTime.Parse(started, System.Globalization.CultureInfo.InvariantCulture,
            System.Globalization.DateTimeStyles.RoundtripKind) : null,
        json.Text("summary") is { } summary ? (ReadOnlyMemory<byte>?)Convert.FromBase64String(summary) : null);

    private static string Required(JsonElement json, string name) => json.Text(name) ?? throw new FormatException(name);
}
