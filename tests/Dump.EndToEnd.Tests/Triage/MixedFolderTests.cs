using System.Text.Json;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Triage;

namespace Dump.EndToEnd.Tests.Triage;

/// <summary>
/// Hangs, crashes, healthy programs and what is no dump, mixed in one folder: each cause is one bucket of its own, under any program's name, ids and addresses;
/// nothing is lost; and the exit codes follow the strongest of what is there. What is due stands in the table, made by recipes and not by the program.
/// </summary>
public sealed class MixedFolderTests : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("dump-mixed-").FullName;

    private string Folder => Path.Combine(_root, "dumps");

    private string Output => Path.Combine(_root, "records-of-all");

    [Fact]
    public void Every_dump_of_a_small_folder_is_in_its_bucket() => Check(isLarge: false, files: 20, buckets: 9, crashes: 3);

    [Fact]
    [Trait("Category", "Slow")]
    public void Every_dump_of_200_is_in_its_bucket() => Check(isLarge: true, files: 200, buckets: 24, crashes: 7);

    public void Dispose() => Directory.Delete(_root, recursive: true);

    private void Check(bool isLarge, int files, int buckets, int crashes)
    {
        IReadOnlyDictionary<string, MixedDump> dumps = MixedFolder.Make(Folder, isLarge, MixedDumps.All);
        Assert.Equal((files, buckets), (dumps.Count, dumps.Values.Select(d => d.Bucket).OfType<string>().Distinct().Count()));
        Assert.Equal(10, Triage().ExitCode);
        JsonElement[] records = [.. Directory.EnumerateFiles(Path.Combine(Output, "records"), "*.json", SearchOption.AllDirectories)
            .Select(f => JsonDocument.Parse(File.ReadAllText(f)).RootElement)];
        Dictionary<string, JsonElement> byPath = records.SelectMany(r => Paths(r).Select(p => (Path: p, Record: r))).ToDictionary(r => r.Path, r => r.Record);
        Assert.Equal(dumps.Keys.Order(StringComparer.Ordinal), byPath.Keys.Order(StringComparer.Ordinal));
        string[] wrong = [.. dumps.Select(d => Fault(d.Key, d.Value, byPath[d.Key])).OfType<string>()];
        Assert.True(wrong.Length == 0, string.Join('\n', wrong));
        CheckBuckets(dumps, byPath, crashes);
        CheckExitCodes(dumps, byPath, isLarge);
    }

    private static string? Fault(string path, MixedDump dump, JsonElement record)
    {
        string outcome = record.Member("outcome").GetString()!;
        if (dump.IsBad)
        {
            return outcome == "Unreadable" && !string.IsNullOrWhiteSpace(record.Member("reason").GetString()) ? null : $"{path} is bad and {outcome}";
        }

        string? verdict = outcome == "Analysed" && record.Member("report").Member("verdicts") is { } all && all.GetArrayLength() > 0
            ? all[0].Member("id").GetString() : null;
        int? exitCode = record.Member("exitCode").ValueKind == JsonValueKind.Number ? record.Member("exitCode").GetInt32() : null;
        return (outcome, verdict, exitCode) == ("Analysed", dump.Verdict, dump.ExitCode) ? null
            : $"{path} ({dump.Bucket}): {outcome}, {verdict ?? "no verdict"}, {exitCode} instead of {dump.Verdict ?? "no verdict"}, {dump.ExitCode}";
    }

    /// <summary>Each bucket has the dumps of one cause, all of them, and no cause has two; crashes are beside no hang.</summary>
    private void CheckBuckets(IReadOnlyDictionary<string, MixedDump> dumps, Dictionary<string, JsonElement> byPath, int crashes)
    {
        string file = Path.Combine(_root, "overview.json");
        DumpAnalyze merged = DumpAnalyze.Run("merge", Output, "--json", file);
        Assert.Equal((10, ""), (merged.ExitCode, merged.Error));
        JsonElement overview = JsonDocument.Parse(File.ReadAllText(file)).RootElement;
        var expected = dumps.Where(d => d.Value.Bucket is not null).GroupBy(d => d.Value.Bucket!)
            .ToDictionary(g => g.Key, g => g.Select(d => Identity(byPath[d.Key])).Distinct().Order(StringComparer.Ordinal).ToArray());
        var found = overview.Member("hangs").EnumerateArray().Select(h => (Detector: h.Member("detector").GetString(), Count: h.Member("count")
            .GetInt32(), Dumps: h.Member("dumps").EnumerateArray().Select(d => d.GetString()!).Order(StringComparer.Ordinal).ToArray())).ToArray();
        foreach ((string bucket, string[] members) in expected)
        {
            var holding = found.Where(f => f.Dumps.Intersect(members).Any()).ToArray();
            Assert.True(holding is [var one] && one.Dumps.SequenceEqual(members) && one.Count == members.Length,
                $"{bucket} is in {string.Join(" and ", holding.Select(h => Causes(h.Dumps)))}");
            Assert.Equal(dumps.Values.First(d => d.Bucket == bucket).Verdict, holding[0].Detector);
        }

        Assert.Equal((expected.Count, crashes), (found.Length, found.Count(f => f.Detector == "DUMP8001")));
        JsonElement totals = overview.Member("totals");
        int copies = dumps.Count - byPath.Values.Select(Identity).Distinct().Count();
        Assert.Equal(dumps.Count, totals.Member("dumps").GetInt32() + copies);
        string[] parts = ["confirmed", "likely", "suspected", "crashed", "nothingFound", "undecidable", "failed"];
        Assert.Equal(totals.Member("dumps").GetInt32(), parts.Sum(p => totals.Member(p).GetInt32()));
        Assert.Equal(dumps.Values.Count(d => d.IsBad), totals.Member("failed").GetInt32());

        string Causes(string[] identities) => string.Join(", ", dumps.Where(d => identities.Contains(Identity(byPath[d.Key])))
            .GroupBy(d => d.Value.Bucket).Select(g => $"{g.Count()} of '{g.Key}'"));
    }

    /// <summary>The strongest are taken away, step by step; what is left decides, without a dump being read again.</summary>
    private void CheckExitCodes(IReadOnlyDictionary<string, MixedDump> dumps, Dictionary<string, JsonElement> byPath, bool isLarge)
    {
        foreach ((int gone, int left, int leftWithSuspected) in ((int, int, int)[])[(10, 11, 11), (11, 14, 12), (12, 14, 14), (14, 13, 13), (13, 0, 0)])
        {
            foreach (string path in dumps.Where(d => d.Value.ExitCode == gone).Select(d => d.Key))
            {
                string identity = Identity(byPath[path]);
                File.Delete(Path.Combine(Folder, path));
                File.Delete(Path.Combine(Output, "records", identity[..2], identity + ".json"));
            }

            (bool AsTriage, bool WithSuspected, int Due)[] calls = [(true, false, left), (false, true, leftWithSuspected), (false, false, left),
                (true, true, leftWithSuspected)];
            foreach ((bool asTriage, bool withSuspected, int due) in isLarge ? calls : calls[..2])
            {
                string[] options = withSuspected ? ["--fail-on", "suspected"] : [];
                int exitCode = (asTriage ? Triage(options) : DumpAnalyze.Run(["merge", Output, .. options])).ExitCode;
                Assert.Equal((gone, asTriage, withSuspected, due), (gone, asTriage, withSuspected, exitCode));
            }
        }
    }

    private DumpAnalyze Triage(params string[] options) => DumpAnalyze.Run(["triage", Folder, "--out", Output, "-j", "2", .. options]);

    private static string Identity(JsonElement record) => record.Member("identity").GetString()!;

    private static IEnumerable<string> Paths(JsonElement record) =>
        ((IEnumerable<JsonElement>)[record.Member("source"), .. record.TryGetProperty("sources", out JsonElement more) ? more.EnumerateArray() : default])
            .Select(s => s.Member("path").GetString()!);
}
