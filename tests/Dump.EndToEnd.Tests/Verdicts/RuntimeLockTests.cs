using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Model.Wording;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Verdicts;

/// <summary>Critical sections of the C runtime are named after the function that enters them, on minidumps made by hand.</summary>
public sealed class RuntimeLockTests
{
    [Theory]
    [InlineData("ucrtbase", "__acrt_lock", "C runtime lock, critical section 0x")]
    [InlineData("ucrtbased", "_lock_file", "lock of a C runtime stream, critical section 0x")]
    [InlineData("MSVCR120", "_lock", "C runtime lock, critical section 0x")]
    [InlineData("msvcrt", "_lock", "C runtime lock, critical section 0x")]
    [InlineData("ucrtbase", "malloc", "critical section 0x")] // another function
    [InlineData("other", "_lock", "critical section 0x")] // another library
    [InlineData("msvcrogue", "_lock", "critical section 0x")]
    public void Name_comes_from_the_function_directly_outside_of_the_wait(string module, string function, string expected)
    {
        CriticalSectionScene scene = new();
        FakeImage runtime = new($@"C:\Windows\System32\{module}.dll", 0x7FF900000000);
        scene.Process.Images.Add(runtime);
        scene.Waiter(0x20, scene.Section(0x24, 1), LockTrace.Argument, [runtime.Function(function)]);
        scene.Sleeper(0x24);
        ProcessSnapshot snapshot = SyntheticAnalysis.Read(scene.Process);
        Resource section = Assert.Single(snapshot.Waits, w => w.ThreadId == 0x20).Resource;
        Assert.StartsWith(expected, new Naming(snapshot).Resource(section), StringComparison.Ordinal);
    }
}
