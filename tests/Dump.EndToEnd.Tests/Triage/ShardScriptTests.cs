using System.Globalization;
using System.Runtime.Versioning;
using Dump.Testing;

namespace Dump.EndToEnd.Tests.Triage;

/// <summary>What schedulers call: index and other arguments arrive whole, and so does the exit code.</summary>
[UnsupportedOSPlatform("windows")]
public sealed class ShardScriptTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("dump-shard-").FullName;

    [SkippableTheory]
    [InlineData("0", "4", "0/4")]
    [InlineData("3", "4", "3/4")]
    [InlineData("08", "10", "8/10")]
    [InlineData("0", "1", "0/1")]
    public void Index_is_read_as_a_decimal_number(string index, string count, string shard)
    {
        Skip.If(OperatingSystem.IsWindows(), "needs bash");
        ShellProgram run = Run(0, index, count, "a folder with $(id) and 'quotes'", "--out", "some where");
        Assert.Equal((0, ""), (run.ExitCode, run.Errors));
        Assert.Equal(["triage", "--shard-index", shard, "a folder with $(id) and 'quotes'", "--out", "some where"],
            File.ReadAllLines(Path.Combine(_folder, "arguments")));
    }

    [SkippableTheory]
    [InlineData("4", "4")]
    [InlineData("-1", "4")]
    [InlineData("0", "0")]
    [InlineData("x", "4")]
    [InlineData("1;id", "4")]
    [InlineData("", "4")]
    public void Index_outside_of_the_count_is_refused(string index, string count)
    {
        Skip.If(OperatingSystem.IsWindows(), "needs bash");
        ShellProgram run = Run(0, index, count, "folder");
        Assert.Equal(2, run.ExitCode);
        Assert.StartsWith("usage: shard.sh", run.Errors, StringComparison.Ordinal);
        Assert.False(File.Exists(Path.Combine(_folder, "arguments")));
    }

    [SkippableTheory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(137)]
    public void Exit_code_is_that_of_the_program(int code)
    {
        Skip.If(OperatingSystem.IsWindows(), "needs bash");
        Assert.Equal(code, Run(code, "0", "2", "folder").ExitCode);
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    /// <summary>Runs the script with a program that notes its arguments and ends with that code.</summary>
    private ShellProgram Run(int exitCode, params string[] arguments)
    {
        string program = Path.Combine(_folder, "program");
        File.WriteAllText(program, string.Create(CultureInfo.InvariantCulture, $"#!/bin/sh\nprintf '%s\\n' \"$@\" > '{_folder}/arguments'\nexit {exitCode}\n"));
        File.SetUnixFileMode(program, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        return ShellProgram.Run(Path.Combine(Repository.Root, "deploy", "shard.sh"), arguments, ("DUMPANALYZE", program));
    }
}
