using System.Runtime.Versioning;
using Dump.Fuzz.Kinds;
using Dump.Fuzz.Running;
using Dump.Fuzz.Shipped;
using Dump.Readers.Tests.Symbols;

namespace Dump.Readers.Tests.Fuzz;

/// <summary>The fuzz command on the shipped program: its options, and that a fault of the program is found, told with its input and kept.</summary>
public sealed class ProgramFuzzTests
{
    // Stands in for the program: one input makes it abort, among others (see AnswerPieces) as alone.
    private const string StandIn = """
        #!/bin/sh
        octal() { printf '\\%03o\\%03o\\000\\000' $(($1 % 256)) $(($1 / 256)); }
        if [ "$2" = worker ]; then
            while n=$(head -c 4 | od -An -tu4 | tr -d ' ') && [ -n "$n" ]; do
                path=$(head -c $n | tr '\0' '\n' | tail -n 1)
                printf '\001\000\000\000\000'
                case $path in */3.dmp) echo 'Unhandled exception. System.Exception: planted' >&2; exit 134;; esac
                report='{"threads":[],"waits":[],"modules":[]}'
                printf "\\001$(octal ${#report})%s" "$report"
                printf '\003\004\000\000\000\015\000\000\000'
            done
            exit 0
        fi
        case $1 in
            */3.dmp) echo 'Unhandled exception. System.Exception: planted' >&2; exit 134;;
            *) echo '{"threads":[],"waits":[],"modules":[]}'; exit 13;;
        esac
        """;

    [Theory]
    [InlineData("--program", "/nowhere", "--minutes", "1")]
    [InlineData("--program", "/bin/sh")]
    [InlineData("--program", "/bin/sh", "--executions", "1", "--reader", "pe")]
    [InlineData("--program", "/bin/sh", "--reader", "core", "--input", "a.bin")]
    public void Wrong_use_is_told(params string[] arguments)
    {
        Assert.True(FuzzOptions.HasProgram(arguments));
        Assert.Null(FuzzOptions.Parse(arguments, ProgramKinds.Names, out string? problem));
        Assert.NotNull(problem);
    }

    [Theory]
    [InlineData("minidump")]
    [InlineData("minidump-files")]
    [InlineData("core")]
    [InlineData("bomb")]
    public void Same_seed_makes_the_same_inputs(string name)
    {
        ProgramKind first = ProgramKinds.Named(name, null), second = ProgramKinds.Named(name, null);
        Assert.All(Enumerable.Range(0, 4), i => Assert.Equal(All(first, 7, i), All(second, 7, i)));
        Assert.Contains(Enumerable.Range(0, 4), i => !All(first, 7, i).SequenceEqual(All(first, 8, i)));
    }

    [SkippableFact]
    [SupportedOSPlatform("linux")]
    public void A_fault_is_found_among_many_inputs_and_repeated_alone()
    {
        Skip.If(!OperatingSystem.IsLinux(), "needs Linux");
        Skip.If(ShippedProgram.Unavailable is not null, ShippedProgram.Unavailable);
        using TemporaryDirectory folder = new();
        string program = Path.Combine(folder.Path, "program"), kept = Path.Combine(folder.Path, "kept");
        File.WriteAllText(program, StandIn);
        File.SetUnixFileMode(program, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        List<string> notes = [];
        (long executions, long failures) = Run("--executions", "10", "--seed", "4");
        Assert.Equal((10, 1), (executions, failures));
        Assert.Contains(notes, n => n.Contains("--reader minidump --seed 4 --from 3 --executions 1: exit code 134 (signal 6)", StringComparison.Ordinal));
        Assert.Equal(ProgramKinds.Named("minidump", null).Make(Execution.RandomOf(4, 3), 3).Dump,
            File.ReadAllBytes(Path.Combine(kept, "minidump-4-3", "dumps", "3.dmp")));
        Assert.Contains("System.Exception: planted", File.ReadAllText(Path.Combine(kept, "minidump-4-3", "repeat.txt")), StringComparison.Ordinal);
        Assert.Equal((1, 1), Run("--executions", "1", "--seed", "4", "--from", "3"));
        Assert.Equal((1, 0), Run("--executions", "1", "--seed", "4", "--from", "2"));

        (long Executions, long Failures) Run(params string[] arguments)
        {
            FuzzOptions options = FuzzOptions.Parse(["--program", program, "--reader", "minidump", "--keep", kept, .. arguments], ProgramKinds.Names, out _)!;
            ProgramFuzz fuzz = new(options, [ProgramKinds.Named("minidump", null)], notes.Add);
            fuzz.Run();
            return (fuzz.Totals[0].Executions, fuzz.Totals[0].Failures);
        }
    }

    [Theory]
    [InlineData(13, "{}", "", 1.0, 1, null)]
    [InlineData(3, "", "dumpanalyze: 1.dmp: cut off", 1.0, 1, null)]
    [InlineData(1, "{}", "", 1.0, 1, "exit code 1")]
    [InlineData(139, "", "", 1.0, 1, "signal 11")]
    [InlineData(null, "", "", 1.0, 1, "did not end")]
    [InlineData(0, "{", "", 1.0, 1, "no JSON")]
    [InlineData(3, "{}", "", 1.0, 1, "has an answer")]
    [InlineData(0, "{}", "dumpanalyze: internal error, please report it", 1.0, 1, "internal error")]
    [InlineData(0, "{}", "   at Dump.Cli.Program.Main()", 1.0, 1, "at Dump.Cli")]
    [InlineData(0, "{}", "", 10.5, 1, "cost 10.5 s")]
    [InlineData(0, "{}", "", 1.0, 501, "and 501 MB")]
    public void Each_promise_can_fail(int? code, string output, string errors, double seconds, int megabytes, string? expected)
    {
        string? failure = ProgramOracle.Failure(new ProgramRun(code, TimeSpan.FromSeconds(seconds), megabytes * 1_000_000L, output, errors), 9_000_000);
        Assert.Equal(expected is null, failure is null);
        Assert.Contains(expected ?? "", failure ?? "", StringComparison.Ordinal);
    }

    private static byte[] All(ProgramKind kind, int seed, int number)
    {
        ProgramInput input = kind.Make(Execution.RandomOf(seed, number), number);
        return [.. input.Dump, .. input.Images.Concat(input.Symbols).Concat(input.DebugFiles).SelectMany(f => f.Item2)];
    }
}
