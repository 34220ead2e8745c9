using System.Text.Json;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Verdicts;

/// <summary>Lines of native frames of a real program: the one that the demonstration hangs.</summary>
public sealed class NativeLineTests
{
    private const string Source = "samples/native/loader/mathplug.c";

    [SkippableFact]
    public void First_report_names_functions_and_lines()
    {
        Skip.If(WineLab.Shared.Unavailable is not null, WineLab.Shared.Unavailable);
        LabDump dump = WineLab.Shared.Dump("loader-exit", DumpKind.Full);
        DumpAnalyze run = DumpAnalyze.Run(dump.Path, "--symbols", WineLab.SampleDirectory, "--format", "json");
        Assert.Empty(JsonSchemaCheck.Errors(run.Output));
        JsonElement verdict = JsonDocument.Parse(run.Output).RootElement.Member("verdicts")[0];
        Assert.Equal("DUMP1001", verdict.Member("id").GetString());
        string[] places = [.. verdict.Member("lookAt").EnumerateArray().Select(Place)];

        // In the order of the threads' ids, which Wine gives as they are free.
        Assert.Equal(
            [$"mathplug!load_backend {LineOf("LoadLibraryW(BACKEND)")}", $"mathplug!mathplug_lock {LineOf("SwitchToThread();")}"], places.Order(StringComparer.Ordinal));
        Assert.DoesNotContain(".c:", DumpAnalyze.Run(dump.Path).Output, StringComparison.Ordinal);
    }

    private static string Place(JsonElement place)
    {
        JsonElement source = place.Member("source");
        Assert.EndsWith(Source, source.Member("file").GetString()!.Replace('\\', '/'), StringComparison.Ordinal);
        return $"{place.Member("code").GetString()} {source.Member("line").GetInt32()}";
    }

    private static int LineOf(string statement) =>
        1 + Array.FindIndex(File.ReadAllLines(Path.Combine(Repository.Root, Source)), l => l.Contains(statement, StringComparison.Ordinal));
}
