using System.Text.Json;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Extension;

/// <summary>Verdicts as objects of the debugger's data model: <c>dx @$hang()</c> in Microsoft's debugger engine under Wine.</summary>
[Collection(Collection)]
public sealed class ExtensionModelTests
{
    /// <summary>These classes do not run at the same time: one of them lets every debugger find the extension by itself.</summary>
    internal const string Collection = "extension gallery";

    private static string Fixture => Path.Combine(Repository.Root, "dumps-fixtures", "loader-exit.dmp");

    [SkippableFact]
    public void Verdicts_are_objects_with_what_the_report_says()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        using JsonDocument report = JsonDocument.Parse(DumpAnalyze.Run(Fixture, "--format", "json").Output);
        JsonElement verdict = report.RootElement.Member("verdicts")[0];
        IReadOnlyList<string> outputs = ExtensionLab.Shipped.Run(
            Fixture, "dx @$hang()", "dx @$hang()[0].Claims", "dx @$hang()[0].Threads", "dx @$hang().Select(v => v.Title)",
                "dx @$hang()[0].Chain[0].Resource.Identity", "dx @$hang()[0].Culprit.Module");
        Assert.Equal("@$hang()         : 1 verdict\n    Undecidable      : false\n    [0x0]            : DUMP1001 Loader-lock deadlock [Likely]\n", outputs[0]);
        Assert.Equal(
            verdict.Member("claims").EnumerateArray().Select((c, i) =>
                $"    [0x{i:x}]            : {c.Member("text")} [{c.Member("confidence")}]"), Lines(outputs[1]));
        Assert.Equal(verdict.Member("threads").EnumerateArray().Select((t, i) => $"    [0x{i:x}]            : 0x{t.GetInt32():x}"), Lines(outputs[2]));
        Assert.Contains(verdict.Member("title").GetString()!, outputs[3], StringComparison.Ordinal);
        Assert.Contains($": {verdict.Member("chain")[0].Member("resource").Member("identity")}\n", outputs[4], StringComparison.Ordinal);
        Assert.Contains(": mathplug.dll\n", outputs[5], StringComparison.Ordinal);
    }

    [SkippableFact]
    [Trait("Category", "Slow")]
    public void Library_stays_loaded_as_long_as_the_data_model_holds_its_objects()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        string unload = $".unload {WineLab.WindowsPath(Path.Combine(ExtensionLab.Shipped.Directory, "dumpext.dll"))}";
        IReadOnlyList<string> kept = ExtensionLab.Shipped.Run(Fixture, "dx @$kept = @$hang()", unload, "dx @$kept[0].Title", "dx @$hang()",
            ExtensionLab.Shipped.Load(), "dx @$hang()");
        Assert.Contains("Deferring unload", kept[1], StringComparison.Ordinal);
        Assert.Contains("Loader-lock deadlock", kept[2], StringComparison.Ordinal);
        Assert.Contains("Error:", kept[3], StringComparison.Ordinal);
        Assert.Contains("DUMP1001", kept[5], StringComparison.Ordinal);

        IReadOnlyList<string> unloaded = ExtensionLab.Shipped.Run(Fixture, "dx @$hang()", unload, "dx @$hang()");
        Assert.DoesNotContain("Deferring", unloaded[1], StringComparison.Ordinal);
        Assert.Contains("Error:", unloaded[2], StringComparison.Ordinal);
    }

    [SkippableFact]
    public void Function_of_another_library_stays_when_ours_is_unloaded()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        string directory = Directory.CreateTempSubdirectory("dump-second-").FullName;
        try
        {
            // A second library that wants the same name: this one under another name.
            string second = Path.Combine(directory, "second.dll");
            File.Copy(Path.Combine(ExtensionLab.Shipped.Directory, "dumpext.dll"), second);
            string own = WineLab.WindowsPath(Path.Combine(ExtensionLab.Shipped.Directory, "dumpext.dll"));
            string other = WineLab.WindowsPath(second);
            IReadOnlyList<string> outputs = ExtensionLab.Shipped.Run(Fixture, $".load {other}", $".unload {other}", "dx @$hang()", $".load {other}",
                $".unload {own}", "dx @$hang()");
            Assert.Contains("Unloading", outputs[1], StringComparison.Ordinal);
            Assert.Contains("DUMP1001", outputs[2], StringComparison.Ordinal);
            Assert.Contains("Unloading", outputs[4], StringComparison.Ordinal);
            Assert.Contains("Error:", outputs[5], StringComparison.Ordinal);
        }
        finally
        {
            Directory.Delete(directory, recursive: true);
        }
    }

    [SkippableFact]
    public void What_fails_is_an_error_of_the_expression()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        IReadOnlyList<string> outputs = ExtensionLab.Shipped.Run(Fixture, "dx @$hang(1)", "dx @$hang()[7]", "@interrupt engine", "dx @$hang()", "@processes",
            "dx @$hang()");
        Assert.Equal("Error: dumpext: this function takes no arguments\n", outputs[0].TrimStart());
        Assert.Contains("0x8000000b", outputs[1], StringComparison.Ordinal);
        Assert.Contains("dumpext: interrupted; the engine was ended", outputs[3], StringComparison.Ordinal);
        Assert.Equal("0 processes\n", outputs[4]);
        Assert.Contains("DUMP1001", outputs[5], StringComparison.Ordinal);
    }

    /// <summary>The elements behind the line that repeats the expression.</summary>
    private static IEnumerable<string> Lines(string output) => output.TrimEnd('\n').Split('\n').Skip(1);
}
