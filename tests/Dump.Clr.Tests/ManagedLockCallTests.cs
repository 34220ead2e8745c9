using Dump.Clr.Blocking;
using Dump.Clr.Frames;
using Dump.Clr.Waits;
using Dump.Model.Facts;
using Dump.Model.Waits;

namespace Dump.Clr.Tests;

/// <summary>
/// A managed thread waits for a lock only where its innermost methods are those of the class library that enter one: an object whose header or fields say
/// "held" may be on any stack. Owners are asked for of what is waited for alone.
/// </summary>
public sealed class ManagedLockCallTests
{
    private const string Core = "System.Private.CoreLib.dll", Threading = "System.Threading.";
    private static readonly ManagedWaitKind[] s_locks =
        [ManagedWaitKind.MonitorEnter, ManagedWaitKind.Lock, ManagedWaitKind.ReaderWriterLock, ManagedWaitKind.SpinLock];

    /// <summary>Module, type and method of the frames, innermost first; a marker of the runtime has no method.</summary>
    private static readonly (string Frames, ManagedWaitKind? Kind)[] s_waits =
    [
        ("Monitor.Enter", ManagedWaitKind.MonitorEnter),
        ("Monitor.Enter_Slowpath", ManagedWaitKind.MonitorEnter),
        ("Monitor.ReliableEnter Monitor.Enter", ManagedWaitKind.MonitorEnter),
        ("Lock.TryEnterSlow Lock.EnterScope", ManagedWaitKind.Lock),
        ("WaitHandle.WaitOneNoCheck Lock.TryEnterSlow Lock.EnterAndGetCurrentThreadId Monitor.Enter", ManagedWaitKind.MonitorEnter),
        ("ManualResetEventSlim.Wait ReaderWriterLockSlim.TryEnterWriteLockCore ReaderWriterLockSlim.EnterWriteLock", ManagedWaitKind.ReaderWriterLock),
        ("SpinWait.SpinOnce SpinLock.ContinueTryEnter SpinLock.Enter", ManagedWaitKind.SpinLock),
        ("WaitHandle.WaitOne System.Threading.dll!System.Threading.ReaderWriterLock.AcquireWriterLock", ManagedWaitKind.ReaderWriterLock),

        // Waits for something else, on whose stacks any object may be locked.
        ("Monitor.Wait", ManagedWaitKind.MonitorWait),
        ("Monitor.Wait ManualResetEventSlim.Wait Tasks.Task.SpinThenBlockingWait Tasks.Task.InternalWaitCore Tasks.Task.Wait", ManagedWaitKind.Task),
        ("WaitHandle.WaitOne", ManagedWaitKind.Handle),
        ("Thread.Join", ManagedWaitKind.Join),
        ("SemaphoreSlim.WaitCore SemaphoreSlim.Wait", ManagedWaitKind.Signal),
        ("Monitor.Wait System.Threading.dll!System.Threading.Barrier.SignalAndWait", ManagedWaitKind.Signal),
        ("ManualResetEventSlim.Wait System.Threading.dll!System.Threading.CountdownEvent.Wait", ManagedWaitKind.Signal),
        ("System.Net.Sockets.dll!System.Net.Sockets.Socket.Receive", null),
        ("System.Net.Sockets.dll!Interop+Sys.Receive System.Net.Sockets.dll!System.Net.Sockets.Socket.Receive", null),
        ("Monitor.Exit", null),
        ("Monitor.PulseAll", null),
        ("app.dll!App.Program.Work", null),

        // The library's names elsewhere; a lock's method further out, which runs something else now.
        ("app.dll!System.Threading.Monitor.Enter", null),
        ("app.dll!System.Threading.Lock.EnterScope", null),
        ("System.Threading.dll!System.Threading.ReaderWriterLockSlim.EnterWriteLock", null),
        ("app.dll!System.Threading.ReaderWriterLock.AcquireWriterLock", null),
        ("app.dll!System.Threading.Barrier.SignalAndWait", null),
        ("app.dll!System.Threading.CountdownEvent.Wait", null),
        ("System.Private.CoreLib.dll!App.Monitor.Enter", null),
        ("Monitor.EnterAnything", null),
        ("app.dll!App.Resolve Monitor.Enter", null),
        ("System.Net.Sockets.dll!System.Net.Sockets.Socket.Receive Lock.EnterScope", null),
    ];

    public static TheoryData<string, int?> Waits
    {
        get
        {
            TheoryData<string, int?> waits = [];
            foreach ((string frames, ManagedWaitKind? kind) in s_waits)
            {
                waits.Add(frames, (int?)kind);
            }

            return waits;
        }
    }

    [Theory]
    [MemberData(nameof(Waits))]
    public void Kind_of_a_wait_is_that_of_the_librarys_methods(string frames, int? kind) =>
        Assert.Equal((ManagedWaitKind?)kind, WaitCall.Find(Frames(frames))?.Function.Kind);

    /// <summary>
    /// Random stacks: waits and other methods at the top, lock methods further out, the runtime's markers anywhere, and the runtime's records of other kinds
    /// of wait. No lock without its method at the top, and none missed with it.
    /// </summary>
    [Fact]
    public void Random_stacks_wait_for_no_lock_without_its_method()
    {
        const int Stacks = 100_000;
        Random random = new(43);
        int found = 0;
        for (int i = 0; i < Stacks; i++)
        {
            (string top, ManagedWaitKind? kind) = s_waits[random.Next(s_waits.Length)];
            string outer = string.Join(' ', Enumerable.Range(0, random.Next(4)).Select(_ => s_waits[random.Next(s_waits.Length)].Frames));
            ManagedFrame[] frames = [.. WithMarkers(random, Frames($"{top} app.dll!App.Program.Step {outer}".TrimEnd()))];
            ManagedWaitKind? actual = WaitCall.Find(frames)?.Function.Kind;
            BlockingRecord[] records = [.. Enumerable.Range(0, random.Next(3)).Select(_ => Record(random))];
            ulong held = (ulong)random.NextInt64();
            WaitTarget[] byFrames = actual is { } wait && s_locks.Contains(wait) ? [Target(held)] : [];
            WaitTarget[] locks = [.. BlockingCheck.Of(actual, byFrames, records, _ => null).Targets.Where(t => t.Resource.Kind == ResourceKind.Monitor)];
            bool isLock = kind is { } expected && s_locks.Contains(expected);
            Assert.True(isLock ? locks is [{ Resource.Identity: var only, Grade: Grade.Derived }] && only == held : locks.Length == 0, $"{top} {outer}");
            found += locks.Length;
        }

        Assert.InRange(found, Stacks / 10, Stacks / 2);
    }

    /// <summary>A record of a wait for a pulse, as the library's waits are built on: it says nothing of a lock.</summary>
    private static BlockingRecord Record(Random random) => new(1, BlockingKind.MonitorWait, (ulong)random.NextInt64(), -1, null, "record");

    private static WaitTarget Target(ulong held) =>
        new(new Resource(ResourceKind.Monitor, held), null, Grade.Derived, new Evidence(EvidenceSource.Runtime, "first object", held));

    private static IEnumerable<ManagedFrame> WithMarkers(Random random, IEnumerable<ManagedFrame> frames)
    {
        foreach (ManagedFrame frame in frames)
        {
            if (random.Next(4) == 0)
            {
                yield return new ManagedFrame(frame.StackPointer - 8, 0, null, IsMarker: true) { MarkerName = ManagedFrame.NativeCallMarker };
            }

            yield return frame;
        }
    }

    private static ManagedFrame[] Frames(string frames) => [.. frames.Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(Frame)];

    private static ManagedFrame Frame(string text, int index)
    {
        (string module, string name) = text.Split('!') is [var file, var rest] ? (file, rest) : (Core, Threading + text);
        int dot = name.LastIndexOf('.');
        return new ManagedFrame(0x1000 + (ulong)index * 0x100, 0x4000, new FrameMethod(name[..dot], name[(dot + 1)..], module, module == Core), IsMarker: false);
    }
}
