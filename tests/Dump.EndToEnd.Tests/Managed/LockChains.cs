using System.Text.Json;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary>The chains that <c>dumpanalyze lockchain</c> prints.</summary>
internal static class LockChains
{
    /// <summary>All chains of a core.</summary>
    public static JsonElement[] Of(LabDump dump, params string[] options)
    {
        DumpAnalyze run = DumpAnalyze.Run(["lockchain", dump.Path, "--format", "json", .. options]);
        Assert.Equal(0, run.ExitCode);
        return [.. JsonDocument.Parse(run.Output).RootElement.Member("chains").EnumerateArray()];
    }
}
