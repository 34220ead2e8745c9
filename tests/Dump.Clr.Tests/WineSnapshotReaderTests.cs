using System.Runtime.Versioning;
using Dump.Clr.Runtimes;
using Dump.Clr.Wine;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;

namespace Dump.Clr.Tests;

/// <summary>Whatever the process under Wine does, the native half stands, with the reason why there is no other; shell scripts take Wine's place.</summary>
[SupportedOSPlatform("linux")]
public sealed class WineSnapshotReaderTests : IDisposable
{
    // As Wine is called: PROGRAM managed-half DUMP RESULT [--dac DIR], with Windows paths.
    private const string Prologue = """
        #!/bin/sh
        result=$(printf '%s' "$4" | sed 's/^Z://; s/\\/\//g')
        dump=$(printf '%s' "$3" | sed 's/^Z://; s/\\/\//g')

        """;

    private readonly DirectoryInfo _directory = Directory.CreateTempSubdirectory("dump-wine-");

    [SkippableFact]
    public void Result_is_merged_and_the_report_says_how_it_was_made()
    {
        string half = Path.Combine(_directory.FullName, "half.json");
        using (FileStream file = File.Create(half))
        {
            ManagedHalfJson.Write(file, ManagedHalves.Managed());
        }

        ProcessSnapshot merged = Read($"test \"$2\" = managed-half && test \"$(cat \"$dump\")\" = dump && cp '{half}' \"$result\"");
        Assert.Empty(merged.Missing.Where(m => m.What.Contains("Wine", StringComparison.Ordinal)));
        Assert.Equal(ManagedHalves.Monitor, Assert.Single(merged.Waits).Resource);
        Assert.Equal(".NET 10.0.12 (coreclr.dll 10.0.1226.42308), read under Wine", merged.ManagedHalfOrigin);
    }

    [SkippableTheory]
    [InlineData("true", "left no result")]
    [InlineData("false", "exit code 1")]
    [InlineData("printf '{}' > \"$result\"", "left no readable result")]
    [InlineData("printf null > \"$result\"", "found no .NET runtime")]
    [InlineData("echo 'dumpanalyze: not a dump' >&2; exit 3", "exit code 3 (dumpanalyze: not a dump)")]
    [InlineData("kill -SEGV $$", "exit code 139")]
    [InlineData("yes > \"$result\"", "exit code")]
    public void Failure_is_missing_data(string script, string reason)
    {
        ProcessSnapshot snapshot = Read(script);
        MissingData missing = Assert.Single(snapshot.Missing);
        Assert.Contains(reason, missing.What, StringComparison.Ordinal);
        Assert.Null(snapshot.ManagedHalfOrigin);
    }

    /// <summary>On a busy machine a program may find Wine's server just ending: it does not come up, and says so or not.</summary>
    [SkippableTheory]
    [InlineData("exit 0")]
    [InlineData("exit 1")]
    [InlineData("echo 'wine client error:0: recvmsg: Connection reset by peer' >&2; exit 1")]
    public void Program_that_did_not_come_up_is_started_again(string first)
    {
        string half = Path.Combine(_directory.FullName, "half.json");
        using (FileStream file = File.Create(half))
        {
            ManagedHalfJson.Write(file, ManagedHalves.Managed());
        }

        ProcessSnapshot merged = Read($"test -e \"$0.tried\" || {{ touch \"$0.tried\"; {first}; }}; cp '{half}' \"$result\"");
        Assert.Empty(merged.Missing.Where(m => m.What.Contains("Wine", StringComparison.Ordinal)));
        Assert.NotNull(merged.ManagedHalfOrigin);
    }

    [SkippableFact]
    public void Process_that_does_not_end_is_ended()
    {
        string id = "";
        foreach (int seconds in (int[])[5, 60])
        {
            MissingData missing = Assert.Single(Read("echo $$ > \"$0.pid\"; exec sleep 3600", TimeSpan.FromSeconds(seconds)).Missing);
            Assert.Contains($"did not end within {seconds} s", missing.What, StringComparison.Ordinal);
            string said = Path.Combine(_directory.FullName, "wine.pid");
            id = File.Exists(said) ? File.ReadAllText(said).Trim() : "";
            if (id.Length > 0)
            {
                break;
            }
            // On a busy machine the script may not have come that far.
        }

        // A killed process is gone once the system has taken its memory away.
        Assert.NotEmpty(id);
        Assert.True(SpinWait.SpinUntil(() => HasEnded(id), TimeSpan.FromMinutes(5)), "the process still runs");
    }

    private static bool HasEnded(string id)
    {
        try
        {
            return File.ReadAllText($"/proc/{id}/cmdline").Length == 0;
        }
        catch (IOException)
        {
            return true;
        }
    }

    [SkippableFact]
    public void Nothing_of_the_callers_environment_reaches_the_process()
    {
        const string Name = "DOTNET_STARTUP_HOOKS_OF_TEST";
        Environment.SetEnvironmentVariable(Name, "x");
        try
        {
            MissingData missing = Assert.Single(Read($"test -z \"${Name}\" && test -n \"$WINEPREFIX\" && exit 42; exit 1").Missing);
            Assert.Contains("exit code 42", missing.What, StringComparison.Ordinal);
        }
        finally
        {
            Environment.SetEnvironmentVariable(Name, null);
        }
    }

    [SkippableFact]
    public void Code_is_not_mapped_twice_in_the_process()
    {
        MissingData missing = Assert.Single(Read("test \"$DOTNET_EnableWriteXorExecute\" = 0 && exit 42; exit 1").Missing);
        Assert.Contains("exit code 42", missing.What, StringComparison.Ordinal);
    }

    public void Dispose() => _directory.Delete(recursive: true);

    private ProcessSnapshot Read(string script, TimeSpan? limit = null)
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs Linux");
        string loader = Path.Combine(_directory.FullName, "wine");
        File.WriteAllText(loader, Prologue + script + "\n");
        File.SetUnixFileMode(loader, UnixFileMode.UserRead | UnixFileMode.UserExecute);
        string dump = Path.Combine(_directory.FullName, "hang with 'odd' name.dmp");
        File.WriteAllText(dump, "dump");
        return WineSnapshotReader.Read(
            ManagedHalves.Native(ManagedHalves.Wait(new Resource(ResourceKind.Event, 0x84))), dump, new ClrReadOptions(),
            new WineReadOptions { Loader = loader, Program = "dumpanalyze.exe", Prefix = Path.Combine(_directory.FullName, "prefix"), TimeLimit = limit
                ?? TimeSpan.FromMinutes(1) });
    }
}
