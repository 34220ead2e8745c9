using Dump.Model.Process;
using Dump.Readers.Minidump;
using Dump.Readers.Windows;
using Dump.Testing.Synthetic;

namespace Dump.Readers.Tests.Windows;

/// <summary>Threads that were made and have not begun: they run nothing.</summary>
public sealed class UnbegunThreadTests
{
    [Theory]
    [InlineData(0, ThreadActivityKind.NotStarted)]
    [InlineData(1, ThreadActivityKind.Running)]
    public void Thread_before_its_first_instruction_has_not_begun(int offset, ThreadActivityKind expected)
    {
        CriticalSectionScene scene = new();
        scene.Sleeper(0x20);
        FakeFunction start = scene.Process.Threads[0].Frames[^1];
        scene.Process.Threads.Add(new FakeThread(0x24, [start with { ReturnOffset = offset }]));
        using MinidumpFile dump = MinidumpFile.FromBytes(scene.Process.ToMinidump());
        ThreadSnapshot thread = WindowsSnapshotReader.Read(dump, "synthetic").Threads[1];
        Assert.Equal(("RtlUserThreadStart", expected), (thread.Stack.Frames[0].Function, thread.Activity.Kind));
    }
}
