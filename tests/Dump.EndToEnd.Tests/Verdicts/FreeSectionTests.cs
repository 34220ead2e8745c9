using Dump.Model.Facts;
using Dump.Model.Waits;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Verdicts;

/// <summary>
/// A critical section that its owner has just left, where the system keeps no argument of the wait: only the call of a function that takes a section names it.
/// </summary>
public sealed class FreeSectionTests
{
    private const uint A = 0x20;

    private static WaitFact Wait(string[] outer)
    {
        AddressWaitScene scene = new(isWindows7: true);
        ulong section = scene.Section(0x100, 0, 0);
        scene.Process.Threads.Add(new FakeThread(A,
        [
            scene.Ntdll.ShortStub("NtWaitForSingleObject"), scene.Ntdll.Function("RtlpWaitOnCriticalSection", exported: false),
            scene.Ntdll.Function("RtlEnterCriticalSection"), .. outer.Select(f => scene.Ntdll.Function(f)),
            scene.Program.CallWith("work", (uint)section, 0), scene.Ntdll.Function("RtlUserThreadStart"),
        ]));
        WaitFact wait = Assert.Single(SyntheticAnalysis.Read(scene.Process).Waits);
        Assert.Equal(ResourceKind.CriticalSection, wait.Resource.Kind);
        Assert.True(wait.Resource.Identity == 0 || wait.Resource.Identity == section);
        return wait;
    }

    [Theory]
    [InlineData]
    [InlineData("RtlReleaseResource")]
    public void Free_section_that_was_handed_over_is_named(params string[] outer)
    {
        WaitFact wait = Wait(outer);
        Assert.NotEqual(0UL, wait.Resource.Identity);
        Assert.Equal((Grade.Derived, true), (wait.Grade, wait.IsSatisfied));
    }

    /// <summary>The same memory and argument: the loader's functions take something else, and the section is one of theirs.</summary>
    [Theory]
    [InlineData("LdrLoadDll")]
    [InlineData("RtlReleaseResource", "LdrLoadDll")]
    public void Argument_of_another_function_is_no_section(params string[] outer)
    {
        WaitFact wait = Wait(outer);
        Assert.Equal((0UL, Grade.Suspected, false), (wait.Resource.Identity, wait.Grade, wait.IsSatisfied));
    }
}
