using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Readers.Minidump;
using Dump.Readers.Windows;
using Dump.Testing.Fixtures;
using Dump.Testing.Lab;
using Dump.Testing.Synthetic;
using Xunit.Abstractions;

namespace Dump.EndToEnd.Tests.Unwinding;

/// <summary>
/// Stacks found without symbols and without images, beside those of Breakpad's <c>minidump_stackwalk</c> on the same files. The truth are the stacks of the
/// same dumps with their images, where every frame was found by unwind information; on full dumps they are those of Microsoft's debugger engine (<see
/// cref="UnwinderAgainstDebuggerTests"/>).
/// </summary>
public sealed class StackRecoveryTests(ITestOutputHelper output)
{
    // The runtime's libraries are code of Microsoft's compiler, which the samples lack.
    private const string RuntimeVersion = "10.0.12";

    [SkippableFact]
    public void More_true_and_fewer_false_frames_than_Breakpad_on_the_committed_dumps()
    {
        Skip.If(Breakpad.Shared.Unavailable is not null, Breakpad.Shared.Unavailable);
        Compare([.. Fixture.All.Where(f => f.Name != "loader-exit-stacks-only").Select(f => (f.Name, f.Path))]);
    }

    [SkippableFact]
    [Trait("Category", "Slow")]
    public void More_true_and_fewer_false_frames_than_Breakpad_on_fresh_full_dumps()
    {
        Skip.If(Breakpad.Shared.Unavailable is not null, Breakpad.Shared.Unavailable);
        Skip.If(WineLab.Shared.Unavailable is not null, WineLab.Shared.Unavailable);
        (string? directory, string? unavailable) = ManagedWineLab.Runtime(RuntimeVersion);
        Skip.If(directory is null, unavailable);
        string[] samples = ["loader-exit", "cs-cycle3", "spin-owner", "idle"];
        string[] scenes = ["monitor-cycle3", "idle", "pool-starvation"];
        using ManagedWineLab lab = new();
        Compare(
        [
            .. samples.Select(s => (s, WineLab.Shared.Dump(s, DumpKind.Full).Path)),
            .. scenes.Select(s => ($".NET {s}", lab.Dump(RuntimeVersion, s).Path)),
        ]);
    }

    [Fact]
    public void Guessed_frames_are_called_so_and_prove_nothing()
    {
        foreach (Fixture fixture in Fixture.All)
        {
            using MinidumpFile dump = MinidumpFile.FromBytes(StrippedMinidump.Of(File.ReadAllBytes(fixture.Path)));
            ProcessSnapshot snapshot = WindowsSnapshotReader.Read(dump, fixture.Name);
            Assert.All(snapshot.Threads.SelectMany(t => t.Stack.Frames.Skip(1)), f => Assert.Equal(FrameTrust.Scan, f.Trust));
            Assert.All(snapshot.Threads, t => Assert.NotEqual(StackEnd.Complete, t.Stack.End));
            Assert.DoesNotContain(Analysis.HangAnalysis.Run(snapshot).Verdicts, v => v.Confidence == Confidence.Confirmed);
        }
    }

    private void Compare(IReadOnlyList<(string Name, string Path)> dumps)
    {
        Score ours = default;
        Score theirs = default;
        foreach ((string name, string path) in dumps)
        {
            (Score our, Score their) = Measure(name, path);
            output.WriteLine($"{name}: of {our.Known} known frames ours {our}, Breakpad {their}");
            ours += our;
            theirs += their;
        }

        output.WriteLine($"together: of {ours.Known} known frames ours {ours}, Breakpad {theirs}");
        Assert.True(theirs.True > ours.Known / 4, "Breakpad found hardly any frame");
        Assert.True(ours.True > theirs.True, $"true frames: {ours.True}, Breakpad {theirs.True}");
        Assert.True(ours.False < theirs.False, $"false frames: {ours.False}, Breakpad {theirs.False}");
    }

    private static (Score Ours, Score Theirs) Measure(string name, string path)
    {
        string stripped = Path.Combine(Path.GetTempPath(), $"stripped-{Guid.NewGuid():N}.dmp");
        try
        {
            File.WriteAllBytes(stripped, StrippedMinidump.Of(File.ReadAllBytes(path)));
            using MinidumpFile whole = MinidumpFile.Open(path);
            using MinidumpFile small = MinidumpFile.Open(stripped);
            ProcessSnapshot known = WindowsSnapshotReader.Read(whole, name);
            ProcessSnapshot found = WindowsSnapshotReader.Read(small, name);
            IReadOnlyDictionary<int, List<ulong>> printed = Breakpad.Shared.Walk(stripped);
            Score ours = default;
            Score theirs = default;
            foreach (ThreadSnapshot thread in known.Threads.Where(IsKnown))
            {
                HashSet<ulong> truth = Callers(thread.Stack.Frames.Select(f => f.InstructionPointer));
                ours += Score.Of(truth, Callers(found.Threads[thread.Index].Stack.Frames.Select(f => f.InstructionPointer)));
                theirs += Score.Of(truth, Callers(printed[thread.Index]));
            }

            return (ours, theirs);
        }
        finally
        {
            File.Delete(stripped);
        }
    }

    private static bool IsKnown(ThreadSnapshot thread) =>
        thread.Stack.End == StackEnd.Complete && thread.Stack.Frames.Skip(1).All(f => f.Trust == FrameTrust.UnwindInfo);

    private static HashSet<ulong> Callers(IEnumerable<ulong> instructionPointers) => [.. instructionPointers.Skip(1)];

    /// <summary>Return addresses of stacks: how many there are, how many of them were found, and how many others.</summary>
    private readonly record struct Score(int Known, int True, int False)
    {
        public static Score Of(HashSet<ulong> truth, HashSet<ulong> found) =>
            new(truth.Count, found.Count(truth.Contains), found.Count(f => !truth.Contains(f)));

        public static Score operator +(Score left, Score right) => new(left.Known + right.Known, left.True + right.True, left.False + right.False);

        public override string ToString() => $"{True} true and {False} false";
    }
}
