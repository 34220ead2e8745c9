using System.Diagnostics;
using System.Globalization;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary>A killed program can end nothing any more; the one that reads the managed half under Wine must not go on for nobody.</summary>
public sealed class KilledReadingTests : IDisposable
{
    private const string Runtime = "10.0.12";
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(5);

    // What becomes the program: only then it is tied.
    private static readonly string[] s_starters = ["/bin/sh", "setpriv"];
    private readonly ManagedWineLab _lab = new();

    [SkippableFact]
    public void Program_under_Wine_dies_with_the_one_that_started_it()
    {
        Skip.IfNot(File.Exists("/usr/bin/setpriv"), "setpriv (util-linux) is missing");
        Skip.If(ManagedWineLab.Unavailable is not null, ManagedWineLab.Unavailable);
        (string? runtime, string? unavailable) = ManagedWineLab.Runtime(Runtime);
        Skip.If(unavailable is not null, unavailable);

        using Process program = Start(_lab.Dump(Runtime, "idle").Path, runtime!);
        try
        {
            KillAndLookForReader(program);
        }
        finally
        {
            program.Kill(entireProcessTree: true);
        }
    }

    public void Dispose() => _lab.Dispose();

    private static void KillAndLookForReader(Process program)
    {
        int? reader = null;
        Assert.True(SpinWait.SpinUntil(() => program.HasExited || (reader = ReaderOf(program.Id)) is not null, s_limit));
        Assert.False(program.HasExited, "it ended before the program under Wine was seen");

        // Stopped, so that it cannot end by itself before it is looked at.
        Signal(reader!.Value, "STOP");
        program.Kill();
        bool hasEnded = SpinWait.SpinUntil(() => !IsAlive(reader.Value), s_limit);
        if (!hasEnded)
        {
            Signal(reader.Value, "KILL");
        }

        Assert.True(hasEnded, $"process {reader} goes on");
    }

    private static Process Start(string dump, string runtime)
    {
        ProcessStartInfo start = DumpAnalyze.Start(dump, "--wine", ManagedWineLab.Program, "--dac", runtime);
        start.RedirectStandardOutput = true;
        start.RedirectStandardError = true;
        start.Environment["WINEPREFIX"] = WineLab.Prefix;
        return Process.Start(start)!;
    }

    private static void Signal(int id, string name)
    {
        using Process kill = Process.Start("kill", [$"-{name}", id.ToString(CultureInfo.InvariantCulture)]);
        kill.WaitForExit();
    }

    /// <summary>The process that reads the managed half: started by the program itself, which needs no child for a Windows dump.</summary>
    private static int? ReaderOf(int program) => Directory.EnumerateDirectories("/proc")
        .Select(d => int.TryParse(Path.GetFileName(d), NumberStyles.None, CultureInfo.InvariantCulture, out int id) ? id : 0)
        .Where(id => id > 0 && Text(id, "cmdline") is var line && line.Contains("managed-half", StringComparison.Ordinal)
            && !s_starters.Any(s => line.StartsWith(s, StringComparison.Ordinal)) && ParentOf(id) == program)
        .Cast<int?>()
        .FirstOrDefault();

    // The name in brackets may itself hold blanks and brackets; behind it stand the state and the parent.
    private static int? ParentOf(int? id) => id is { } known && Text(known, "stat").Split(')')[^1].Split(' ') is [_, _, var parent, ..]
        ? int.Parse(parent, CultureInfo.InvariantCulture) : null;

    private static bool IsAlive(int id) => Text(id, "stat") is { Length: > 0 } stat && !stat.Contains(") Z ", StringComparison.Ordinal);

    /// <summary>A file of a process, empty when it has ended meanwhile.</summary>
    private static string Text(int id, string file)
    {
        try
        {
            return File.ReadAllText($"/proc/{id}/{file}");
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return "";
        }
    }
}
