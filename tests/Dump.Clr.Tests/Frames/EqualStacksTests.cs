using Dump.Clr.Frames;
using Dump.Clr.Runtimes;
using Dump.Testing.Lab;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Tests.Frames;

/// <summary>On cores of real processes: what is told from equal stacks is what the data-access library says of each.</summary>
public sealed class EqualStacksTests
{
    private const int MostFrames = 1_000;

    /// <summary>Threads that are alike, threads of a pool, threads in every kind of wait, and in locks.</summary>
    [SkippableTheory]
    [InlineData("waits-alike", 1)]
    [InlineData("pool-starvation", 0)]
    [InlineData("waits", 0)]
    [InlineData("monitor-many-locks", 0)]
    [InlineData("sync-over-async-context", 0)]
    public void References_are_those_of_the_library_in_its_order(string scene, int fewestTold)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LinuxLab lab = new();
        using ClrTarget target = ClrTarget.Open(settings => DumpFile.Open(lab.Dump(scene).Path, settings), new ClrReadOptions(), out _)!;
        EqualStacks equal = new(target.Runtime);
        int told = 0, references = 0;
        foreach (ClrThread thread in target.Runtime.Threads.Where(t => t.IsAlive))
        {
            ManagedFrame[] frames = [.. target.Stacks.Frames(thread, MostFrames)];
            bool isAsked = false;
            IReadOnlyList<StackReference> found = equal.References(thread, frames, () =>
            {
                isAsked = true;
                return target.Stacks.Ask(thread, frames);
            });
            told += isAsked ? 0 : 1;
            references += found.Count;
            Assert.Equal(target.Stacks.Ask(thread, frames), found);
        }

        Assert.True(references > 0);
        Assert.InRange(told, fewestTold, int.MaxValue);
    }

    /// <summary>Of a thread that handles signals the library has no registers.</summary>
    [SkippableFact]
    public void Thread_without_registers_has_no_frames()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LinuxLab lab = new();
        using ClrTarget target = ClrTarget.Open(settings => DumpFile.Open(lab.Dump("monitor-cycle-broken").Path, settings), new ClrReadOptions(), out _)!;
        Assert.All(target.Runtime.Threads.Where(t => t.IsAlive),
            t => Assert.DoesNotContain(target.Stacks.Frames(t, MostFrames), f => f is { IsMarker: false, InstructionPointer: 0 }));
    }

    /// <summary>
    /// ClrMD looks each thread up by its id and asks for each frame's method; the listed threads give the same frames. What ClrMD shows without a method may be
    /// left over from the stack before, where a thread has no registers.
    /// </summary>
    [SkippableTheory]
    [InlineData("waits")]
    [InlineData("monitor-cycle3")]
    [InlineData("filter-waits")]
    public void Frames_are_those_of_ClrMD(string scene)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LinuxLab lab = new();
        using ClrTarget target = ClrTarget.Open(settings => DumpFile.Open(lab.Dump(scene).Path, settings), new ClrReadOptions(), out _)!;
        using ListedThreads listed = new(target.Runtime);
        int frames = 0;
        foreach (ClrThread thread in target.Runtime.Threads.Where(t => t.IsAlive))
        {
            (ulong, ulong, string?, ulong?)[] expected =
            [
                .. thread.EnumerateStackTrace(includeContext: false, MostFrames).Where(f => f.Kind != ClrStackFrameKind.ManagedMethod || f.Method is not null)
                    .Select(f => f.Kind == ClrStackFrameKind.ManagedMethod ? (f.InstructionPointer, f.StackPointer, (string?)null, f.Method?.MethodDesc)
                        : (0, f.StackPointer, f.FrameName, f.Method?.MethodDesc)),
            ];
            Assert.NotNull(listed.Walk(thread.OSThreadId, MostFrames));
            Assert.Equal(expected, target.Stacks.Frames(thread, MostFrames).Where(f => f.IsMarker || f.Method is not null)
                .Select(f => (f.IsMarker ? 0 : f.InstructionPointer, f.StackPointer, f.MarkerName, f.Method?.MethodDesc)));
            frames += expected.Length;
        }

        Assert.True(frames > 0);
    }
}
