using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary>
/// Managed frames of Windows dumps have files and lines without a symbol path: by the build that runs under Wine alone, and by the Linux build, whose managed half
/// that one reads.
/// </summary>
public sealed partial class WindowsSourceLineTests : IDisposable
{
    private readonly ManagedWineLab _lab = new();

    public void Dispose() => _lab.Dispose();

    [SkippableFact]
    public void Symbols_inside_of_the_module_are_read_from_the_dump()
    {
        Require("8.0.30");
        CheckBoth(_lab.Dump("8.0.30", "monitor-cycle2").Path, "8.0.30");
    }

    /// <summary>The copy's module names a place of building that is nowhere: what is left is the file beside it.</summary>
    [SkippableFact]
    public void Symbols_beside_the_module_are_found_on_the_drive_that_the_dump_names()
    {
        Require("10.0.12");
        string program = Copy(ManagedWineLab.Sample("10.0.12"));
        string dump = _lab.DumpAnew("10.0.12", "monitor-cycle2", program: program).Path;
        CheckBoth(dump, "10.0.12");
        File.Delete(Path.ChangeExtension(program, ".pdb"));
        Assert.Empty(Lines(Linux(dump, "10.0.12")));
    }

    private static void Require(string version)
    {
        Skip.If(ManagedWineLab.Unavailable is not null, ManagedWineLab.Unavailable);
        (string? _, string? unavailable) = ManagedWineLab.Runtime(version);
        Skip.If(unavailable is not null, unavailable);
    }

    private static void CheckBoth(string dump, string version)
    {
        string[] merged = Lines(Linux(dump, version));
        Assert.Contains("MonitorScenes.cs", merged.Select(l => l.Split(':')[0]));
        Assert.All(merged, l => Assert.Matches(@"^\w+\.cs:\d+$", l));
        string direct = ManagedWineLab.RunProgram(dump, "--format", "json", "--dac", WineLab.WindowsPath(ManagedWineLab.Runtime(version).Directory!));
        Assert.Equal(merged, Lines(direct));
    }

    private static string Linux(string dump, string version) => DumpAnalyze.RunIn(
        [("WINEPREFIX", WineLab.Prefix)],
        [dump, "--format", "json", "--wine", ManagedWineLab.Program, "--dac", ManagedWineLab.Runtime(version).Directory!]).Output;

    private static string[] Lines(string json)
    {
        Assert.Empty(JsonSchemaCheck.Errors(json));
        return
        [
            .. JsonDocument.Parse(json).RootElement.Member("verdicts").EnumerateArray().SelectMany(v => v.Member("stacks").EnumerateArray())
                .SelectMany(s => s.Member("frames").EnumerateArray()).Where(f => f.TryGetProperty("source", out _)).Select(f => f.Member("source"))
                .Select(s => $"{PathBefore().Replace(s.Member("file").GetString()!, "")}:{s.Member("line").GetInt32()}"),
        ];
    }

    /// <summary>Copies a program with its symbols, and changes the place of building in it to one of the same length.</summary>
    private string Copy(string program)
    {
        string folder = Directory.CreateDirectory(_lab.NewPath("copy")).FullName;
        foreach (string file in Directory.EnumerateFiles(Path.GetDirectoryName(program)!))
        {
            File.Copy(file, Path.Combine(folder, Path.GetFileName(file)));
        }

        string copy = Path.Combine(folder, Path.GetFileName(program));
        byte[] bytes = File.ReadAllBytes(copy);
        int place = bytes.AsSpan().IndexOf(Encoding.UTF8.GetBytes("/obj/managed-hang/"));
        Assert.True(place > 0);
        bytes[place + 3] = (byte)'x';
        File.WriteAllBytes(copy, bytes);
        return copy;
    }

    [GeneratedRegex(@"^.*[\\/]")]
    private static partial Regex PathBefore();
}
