using Dump.Model.Process;
using Dump.Readers.Minidump;
using Dump.Readers.Windows;
using Dump.Testing.Lab;
using Dump.Testing.Synthetic;
using Xunit.Abstractions;

namespace Dump.EndToEnd.Tests.Unwinding;

/// <summary>
/// Our stacks against those of Microsoft's debugger engine on the same dumps of really hung processes: stack pointer and return address of every frame of every
/// thread. Function names are not compared: without symbols the engine prints the nearest lower export, which we never do.
/// </summary>
public sealed class UnwinderAgainstDebuggerTests(ITestOutputHelper output)
{
    [SkippableTheory]
    [InlineData("loader-exit")]
    public void Every_frame_of_the_debugger_is_found(string sample)
    {
        Skip.If(WineLab.Shared.Unavailable is not null, WineLab.Shared.Unavailable);
        Compare(sample, WineLab.Shared.Dump(sample, DumpKind.Full).Path);
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [InlineData("loader-join")]
    [InlineData("cs-cycle3")]
    [InlineData("spin-owner")]
    [InlineData("idle")]
    public void Every_frame_of_further_samples_is_found(string sample) => Every_frame_of_the_debugger_is_found(sample);

    /// <summary>Dumps made by hand are real dumps to the engine too: it opens them and finds their threads, modules and frames.</summary>
    [SkippableFact]
    public void Synthetic_dump_opens_in_the_debugger_with_the_same_frames()
    {
        Skip.If(WineLab.Shared.Unavailable is not null, WineLab.Shared.Unavailable);
        string path = Path.Combine(Path.GetTempPath(), $"synthetic-{Environment.ProcessId}.dmp");
        try
        {
            File.WriteAllBytes(path, new LoadOwnershipScene().Build().ToMinidump());
            Assert.Contains("mkl_core_2", WineLab.Shared.RunDebugger(path, "lm"), StringComparison.OrdinalIgnoreCase);
            Compare("synthetic", path);
        }
        finally
        {
            File.Delete(path);
        }
    }

    private void Compare(string sample, string path)
    {
        using MinidumpFile dump = MinidumpFile.Open(path);
        ProcessSnapshot snapshot = WindowsSnapshotReader.Read(dump, sample);
        Dictionary<uint, List<(ulong StackPointer, ulong ReturnAddress)>> theirs = DebuggerStacks.Parse(WineLab.Shared.RunDebugger(path, "~*kn 200"));
        Assert.Equal(theirs.Keys.Order(), snapshot.Threads.Select(t => t.Id).Order());
        int all = 0;
        int same = 0;
        foreach (ThreadSnapshot thread in snapshot.Threads)
        {
            List<(ulong StackPointer, ulong ReturnAddress)> expected = theirs[thread.Id];
            (ulong, ulong)[] ours = [.. thread.Stack.Frames.Select((f, i) =>
                (f.StackPointer, i + 1 < thread.Stack.Frames.Length ? thread.Stack.Frames[i + 1].InstructionPointer : 0UL))];
            all += expected.Count;
            same += expected.Zip(ours).TakeWhile(pair => pair.First == pair.Second).Count();
            Assert.Equal(StackEnd.Complete, thread.Stack.End);
            Assert.All(thread.Stack.Frames.Skip(1), f => Assert.Equal(FrameTrust.UnwindInfo, f.Trust));
        }

        output.WriteLine($"{sample}: {same} of {all} frames of {snapshot.Threads.Length} threads are equal");
        Assert.True(all > snapshot.Threads.Length * 3, "the debugger printed hardly any frame");
        Assert.Equal(all, same);
    }
}
