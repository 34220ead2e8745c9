using System.Text.RegularExpressions;
using Dump.Clr.Blocking;
using Dump.Clr.Runtimes;
using Dump.Testing;

namespace Dump.Clr.Tests;

/// <summary>Faults of a data-access library that the reading survives are told to the process that takes one dump after the other: it must end.</summary>
public sealed partial class LibraryFaultTests
{
    private static readonly string[] s_answers = ["gate?.Fail();", "onFault?.Invoke();", "throw;"];
    private static readonly BlockingRecord s_record = new(1, BlockingKind.MonitorEnter, 0x5000, -1, null, "test");

    [Fact]
    public void Source_of_records_that_fails_is_told_and_the_others_are_read()
    {
        LibraryGate gate = new();
        Assert.NotEmpty(BlockingRecords.Read(gate, () => [s_record]).Of(1));
        Assert.False(gate.HasFailed);
        Assert.NotEmpty(BlockingRecords.Read(gate, () => throw new InvalidOperationException("damaged"), () => [s_record]).Of(1));
        Assert.True(gate.HasFailed);
        gate.Begin();
        Assert.False(gate.HasFailed);
        Assert.Empty(BlockingRecords.Read(null, () => throw new InvalidOperationException("damaged")).Of(1));
    }

    /// <summary>
    /// Whoever takes any exception for a fault of the library says so, or throws it on. Before a library is loaded there is none that could fail.
    /// </summary>
    [Fact]
    public void No_fault_is_taken_in_silence()
    {
        string folder = Path.Combine(Repository.Root, "ext-managed", "Dump.Clr");
        string[] before = ["WantedRuntime.cs"];
        (string File, string Block)[] blocks =
        [
            .. Directory.EnumerateFiles(folder, "*.cs", SearchOption.AllDirectories).Where(f => !before.Contains(Path.GetFileName(f)))
                .SelectMany(f => AnyException().Matches(File.ReadAllText(f)).Select(m => (Path.GetFileName(f), m.Value))),
        ];
        Assert.True(blocks.Length >= 8, $"only {blocks.Length} such places");
        Assert.All(blocks, b => Assert.True(
            s_answers.Any(a => b.Block.Contains(a, StringComparison.OrdinalIgnoreCase)), $"{b.File}: {b.Block}"));
    }

    /// <summary>A handler of all exceptions, or of all but some, up to the end of its block.</summary>
    [GeneratedRegex(@"catch(?: \(Exception(?: \w+)?\)(?: when \(\w+ is not [^\n]+)?)?\s*\n( *)\{.*?\n\1\}", RegexOptions.Singleline)]
    private static partial Regex AnyException();
}
