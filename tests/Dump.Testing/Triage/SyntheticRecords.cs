using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace Dump.Testing.Triage;

/// <summary>
/// Makes any number of records of different dumps out of few reports: other machines, times and versions of the program's modules. The same number makes the
/// same record.
/// </summary>
/// <param name="reports">Reports <c>dump-report/1</c>, in turn the ones that records are made of; some come later than others.</param>
/// <param name="systemModules">How many modules of the operating system each process has besides.</param>
/// <param name="machines">How many machines there are.</param>
public sealed class SyntheticRecords(IReadOnlyList<string> reports, int systemModules = 0, int machines = 997)
{
    private const int MinutesApart = 7;
    private const int RecordsOfVersion = 250;
    private const int RecordsOfUpdate = 5000;
    private const int ProtectedMachines = 10;
    private const int DamagedEvery = 50;
    private const int ReportsAtFirst = 12;
    private const int NumbersOfNewReport = 60;
    private static readonly DateTime s_first = new(2026, 1, 5, 8, 0, 0, DateTimeKind.Utc);
    private readonly JsonObject[] _reports = [.. reports.Select(r => JsonNode.Parse(r)!.AsObject())];

    /// <summary>Records made of the committed reports that the tests of formats have: hangs of many kinds, a crash, undecidable dumps.</summary>
    /// <param name="systemModules">How many modules of the operating system each process has besides.</param>
    /// <param name="machines">How many machines there are.</param>
    public static SyntheticRecords OfGoldens(int systemModules = 0, int machines = 997) => new(
        [.. Directory.EnumerateFiles(Path.Combine(Repository.Root, "tests", "Dump.Reports.Tests", "Golden"), "*.report.json", SearchOption.AllDirectories)
            .Order(StringComparer.Ordinal).Select(File.ReadAllText)], systemModules, machines);

    /// <summary>Identity of the dump of a number.</summary>
    public static string Identity(int number) =>
        Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(string.Create(CultureInfo.InvariantCulture, $"synthetic {number}"))));

    /// <summary>The document of a record.</summary>
    public byte[] Document(int number)
    {
        JsonObject report = _reports[number % Math.Min(_reports.Length, ReportsAtFirst + (number / NumbersOfNewReport))].DeepClone().AsObject();
        report["source"]!["captured"] = s_first.AddMinutes((double)number * MinutesApart).ToString("yyyy-MM-dd'T'HH:mm:ss'Z'", CultureInfo.InvariantCulture);
        report["process"]!["machine"] = string.Create(CultureInfo.InvariantCulture, $"host-{number % machines}");
        foreach (JsonObject module in report["modules"]!.AsArray().OfType<JsonObject>().Where(m => m["system"]?.GetValueKind() == JsonValueKind.False))
        {
            module["version"] = string.Create(CultureInfo.InvariantCulture, $"2.{number / RecordsOfVersion}.0.0");
        }

        foreach (JsonObject module in AddedModules(number))
        {
            report["modules"]!.AsArray().Add(module);
        }

        bool isDamaged = number % DamagedEvery == DamagedEvery - 1;
        JsonObject record = new()
        {
            ["schema"] = "dump-record/1",
            ["identity"] = Identity(number),
            ["source"] = new JsonObject
            {
                ["path"] = string.Create(CultureInfo.InvariantCulture, $"host-{number % machines}/dump-{number}.dmp"),
                ["member"] = null,
                ["size"] = 100_000 + number,
            },
            ["outcome"] = isDamaged ? "Unreadable" : "Analysed",
            ["reason"] = isDamaged ? "the dump is cut off" : null,
            ["exitCode"] = isDamaged ? 3 : 10,
            ["tool"] = "dumpanalyze 0.1.0 build synthetic",
            ["report"] = isDamaged ? null : report,
            ["timing"] = new JsonObject(),
        };
        return JsonSerializer.SerializeToUtf8Bytes(record);
    }

    /// <summary>A security product on some machines, and the system's modules in the version of the last update.</summary>
    private IEnumerable<JsonObject> AddedModules(int number)
    {
        if (number % machines % ProtectedMachines == 0)
        {
            yield return Module("umppc.dll", string.Create(CultureInfo.InvariantCulture, $"7.{number / RecordsOfVersion}.0"), isSystem: false);
        }

        for (int i = 0; i < systemModules; i++)
        {
            yield return Module(string.Create(CultureInfo.InvariantCulture, $"system-{i}.dll"),
                string.Create(CultureInfo.InvariantCulture, $"10.0.19041.{number / RecordsOfUpdate}"), isSystem: true);
        }
    }

    private static JsonObject Module(string name, string version, bool isSystem) => new()
    {
        ["name"] = name, ["version"] = version, ["vendor"] = null, ["system"] = isSystem, ["build"] = null,
    };
}
