using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers.Minidump;
using Dump.Readers.Windows;
using Dump.Testing;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Synthetic;

/// <summary>Dumps without the memory of images: what threads wait for is known by the number of their system call alone.</summary>
public sealed class SystemCallNumberTests
{
    private const uint Waiter = 0x20;
    private const ulong Handle = 0x284;
    private const int Rdx = 2;
    private const int LimitSlot = 3;

    private static ulong LimitAddress => FakeProcess.WaitBlockOf(0) - 0x40 + 8 + ((LimitSlot - 1) * 0x30) + 0x20;

    private static ProcessSnapshot Read(ulong number, uint build = 19045, bool hasImages = false, string call = "NtUnnamed", bool inNtdll = true, long? limit =
        null, string module = "ntdll", Version? file = null, string? handle = null)
    {
        FakeImage app = new(@"C:\app\app.exe", 0x140000000);
        FakeImage ntdll = new(@"C:\Windows\System32\ntdll.dll", 0x7FF930000000) { FileVersion = file };
        FakeImage win32u = new(@"C:\Windows\System32\win32u.dll", 0x7FF940000000) { FileVersion = file };
        FakeFunction plain = app.Function("inner", exported: false);
        FakeThread thread = new(Waiter, [(!inNtdll ? app : module == "ntdll" ? ntdll : win32u).Stub(call), plain, plain, app.Function("work", exported: false),
            ntdll.Function("RtlUserThreadStart")], Handle)
        {
            Volatile = new Dictionary<int, ulong> { [FakeThread.Rax] = number, [Rdx] = limit is null ? 0 : LimitAddress },
            Locals = limit is { } value ? [(LimitSlot, unchecked((ulong)value))] : [],
        };
        FakeProcess process = new()
        {
            Version = (10, 0, build),
            Images = { app, ntdll, win32u },
            Handles = handle is null ? null : [new FakeHandle(Handle, handle)],
            LoaderLock = FakeProcess.Section(ntdll, 0x200, 0, 0),
            Threads = { thread },
            HasImageMemory = hasImages,
        };
        using MinidumpFile dump = MinidumpFile.FromBytes(process.ToMinidump());
        return WindowsSnapshotReader.Read(dump, "synthetic");
    }

    [Theory]
    [InlineData(0x04, "NtWaitForSingleObject", ThreadActivityKind.Waiting, ResourceKind.KernelObject)]
    [InlineData(0x5B, "NtWaitForMultipleObjects", ThreadActivityKind.Waiting, ResourceKind.KernelObject)]
    [InlineData(0x34, "NtDelayExecution", ThreadActivityKind.Sleeping, ResourceKind.Time)]
    [InlineData(0x09, "NtRemoveIoCompletion", ThreadActivityKind.Idle, null)]
    [InlineData(0x06, "NtReadFile", ThreadActivityKind.Waiting, ResourceKind.InputOutput)]
    [InlineData(0x22, "NtRequestWaitReplyPort", ThreadActivityKind.Waiting, ResourceKind.RemoteCall)]
    [InlineData(0x46, "NtYieldExecution", ThreadActivityKind.Yielding, null)]
    [InlineData(0x55, "NtCreateFile", ThreadActivityKind.SystemCall, null)]
    public void Number_names_the_call_and_nothing_is_more_than_derived(ulong number, string call, ThreadActivityKind activity, ResourceKind? kind)
    {
        ProcessSnapshot snapshot = Read(number);
        Assert.Equal((activity, call), (snapshot.Threads[0].Activity.Kind, snapshot.Threads[0].Activity.SystemCall));
        Assert.Equal(kind, snapshot.Waits.SingleOrDefault()?.Resource.Kind);
        Assert.All(snapshot.Waits, w => Assert.True(w.Grade <= Grade.Derived));
        Assert.Contains(snapshot.Threads[0].Activity.Evidence, e => e.Value == number && e.Text.Contains("10240 to 26220", StringComparison.Ordinal));
    }

    [Fact]
    public void Argument_of_the_call_is_told_with_it() =>
        Assert.Equal((new Resource(ResourceKind.KernelObject, Handle), Grade.Derived), Read(4).Waits.Select(w => (w.Resource, w.Grade)).Single());

    [Fact]
    public void Limit_in_a_register_is_told_with_it() =>
        Assert.Equal((WaitTimeout.Finite, 1_500L), Read(0x34, limit: -15_000_000).Waits.Select(w => (w.Timeout, w.Milliseconds)).Single());

    /// <summary>Numbers of other builds, other numbers, places that are no stub's return and modules that are not ntdll name nothing.</summary>
    [Theory]
    [InlineData(4, 10239u, true)]
    [InlineData(4, 26221u, true)]
    [InlineData(4, 19045u, false)]
    [InlineData(5, 19045u, true)]
    [InlineData(0x1004, 19045u, true)]
    [InlineData(0x1_0000_0004, 19045u, true)]
    public void Other_numbers_name_nothing(ulong number, uint build, bool inNtdll)
    {
        ProcessSnapshot snapshot = Read(number, build, inNtdll: inNtdll);
        Assert.Empty(snapshot.Waits);
        Assert.Equal((ThreadActivityKind.Unknown, null), (snapshot.Threads[0].Activity.Kind, snapshot.Threads[0].Activity.SystemCall));
    }

    /// <summary>These numbers change inside of a build: the version of the file tells them, and one that was not seen tells nothing.</summary>
    [Theory]
    [InlineData("ntdll", 0x1D0, "10.0.19041.2130", "NtWaitForAlertByThreadId")]
    [InlineData("ntdll", 0x1E0, "6.2.22621.4317", "NtWaitForAlertByThreadId")]
    [InlineData("ntdll", 0x1E0, "6.3.22621.4317", null)]
    [InlineData("ntdll", 0x1D5, "10.0.19041.3086", "NtWaitForWorkViaWorkerFactory")]
    [InlineData("ntdll", 0x1D2, "10.0.19041.2130", null)]
    [InlineData("ntdll", 0x1D0, "10.0.19041.2131", null)]
    [InlineData("ntdll", 0x1E3, "10.0.26100.8972", "NtWaitForAlertByThreadId")]
    [InlineData("ntdll", 0x1E3, "10.0.22621.5262", "NtWaitForWorkViaWorkerFactory")]
    [InlineData("ntdll", 0x1E3, null, null)]
    [InlineData("win32u", 0x14D5, "10.0.26100.7705", "NtUserMsgWaitForMultipleObjectsEx")]
    [InlineData("win32u", 0x1004, "10.0.26100.7705", "NtUserGetMessage")]
    [InlineData("win32u", 0x14D5, "10.0.26100.7309", null)]
    [InlineData("win32u", 0x4, "10.0.26100.7705", null)]
    public void Numbers_that_updates_change_are_told_by_the_file(string module, ulong number, string? file, string? call) =>
        Assert.Equal(call, Read(number, 26200, module: module, file: file is null ? null : Version.Parse(file)).Threads[0].Activity.SystemCall);

    [Theory]
    [InlineData("TpWorkerFactory", "NtWaitForWorkViaWorkerFactory", ThreadActivityKind.Idle)]
    [InlineData("IoCompletion", "NtRemoveIoCompletion", ThreadActivityKind.Idle)]
    [InlineData("Event", null, ThreadActivityKind.Unknown)]
    public void Handle_of_a_pool_tells_an_idle_worker(string type, string? call, ThreadActivityKind activity) =>
        Assert.Equal((activity, call), Read(0x1F5, handle: type).Threads[0].Activity is var a ? (a.Kind, a.SystemCall) : default);

    /// <summary>Small dumps of Crashpad, Breakpad and others, by other people: how many of their threads stand in a call that has a name.</summary>
    [SkippableTheory]
    [InlineData("x64/sentry-native.dmp", 4, 5)]
    [InlineData("x86/thread_name_list.dmp", 3, 6)]
    public void Calls_of_real_small_dumps_are_named(string file, int named, int threads)
    {
        Skip.If(Corpus.Unavailable is not null, Corpus.Unavailable);
        using MinidumpFile dump = MinidumpFile.Open(Path.Combine(Corpus.Folder, file));
        ProcessSnapshot snapshot = WindowsSnapshotReader.Read(dump, file);
        Assert.Equal((named, threads), (snapshot.Threads.Count(t => t.Activity.SystemCall is not null), snapshot.Threads.Length));
    }

    /// <summary>Where an image names the call, its name counts.</summary>
    [Fact]
    public void Name_of_the_image_comes_first() =>
        Assert.Equal("NtWaitForKeyedEvent", Read(4, hasImages: true, call: "NtWaitForKeyedEvent").Threads[0].Activity.SystemCall);

    /// <summary>A dump whose stacks cannot be followed is never "no hang found", whatever the numbers tell.</summary>
    [Fact]
    public void Idle_numbers_alone_decide_nothing() => Assert.True(Analysis.HangAnalysis.Run(Read(9)).IsUndecidable);
}
