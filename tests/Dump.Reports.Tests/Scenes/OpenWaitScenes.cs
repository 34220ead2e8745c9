using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;

namespace Dump.Reports.Tests.Scenes;

/// <summary>
/// Waits that no verdict judges, with stacks after public listings: microsoft/DirectXShaderCompiler #5985 (load owner), microsoft/terminal #11340 (ticket lock)
/// and #13386 (graphics processor); and idle programs, of which nothing is said.
/// </summary>
internal static class OpenWaitScenes
{
    /// <summary>Name and maker of each.</summary>
    public static IReadOnlyDictionary<string, Func<Scene>> Named => new Dictionary<string, Func<Scene>>
    {
        ["open-lock-owner"] = LockOwner,
        ["open-lock-owner-with-limit"] = LockOwnerWithLimit,
        ["open-load-owner"] = LoadOwner,
        ["open-ticket-lock"] = TicketLock,
        ["open-graphics-wait"] = GraphicsWait,
        ["open-many-waits"] = ManyWaits,
        ["idle-server"] = IdleServer,
    };

    private const string Start = "kernel32!BaseThreadInitThunk+0x14 ntdll!RtlUserThreadStart+0x21";
    private static readonly Resource s_lock = SceneBuilder.Section(0x2A0_1000);

    /// <summary>One waiter, and an owner whose wait of unknown limit no rule judges.</summary>
    public static Scene LockOwner() => Owner(WaitTimeout.Unknown, null);

    /// <summary>The same with a limit: the owner goes on within half a minute, or waits again.</summary>
    public static Scene LockOwnerWithLimit() => Owner(WaitTimeout.Finite, 30_000);

    public static Scene LoadOwner() => new SceneBuilder()
        .Thread(0x100, "NtCreateSection", ThreadActivityKind.SystemCall,
            $"ntdll!NtCreateSection+0x14 ntdll+0x2c9f4 ntdll!LdrLoadDll+0xe4 kernelbase!LoadLibraryExW+0x162 server!LoadCompiler+0x20 {Start}")
        .Change(0x100, t => t with { IsLoadOwner = true }).Own(new Resource(ResourceKind.LoadOwnership, 0), 0x100)
        .Judged();

    public static Scene TicketLock() => new SceneBuilder()
        .Thread(0x100, "NtWaitForAlertByThreadId", ThreadActivityKind.Waiting,
            $"ntdll!NtWaitForAlertByThreadId+0x14 ntdll!RtlWaitOnAddress+0xb3 kernelbase!WaitOnAddress+0x2b server!til::ticket_lock::lock+0x31 server!Draw+0x20 {Start}")
        .Change(0x100, t => t with { Times = SceneBuilder.Idle with { Created = new DateTime(2024, 2, 29, 20, 0, 0, DateTimeKind.Utc) } })
        .Wait(0x100, new Resource(ResourceKind.Address, 0x2A0_3000), grade: Grade.Derived)
        .Judged();

    public static Scene GraphicsWait() => new SceneBuilder()
        .Thread(0x104, "NtGdiDdDDIWaitForSynchronizationObjectFromCpu", ThreadActivityKind.Waiting,
            $"win32u!NtGdiDdDDIWaitForSynchronizationObjectFromCpu+0x14 d3d11+0x1009 igd10iumd64+0x2049 d3d11!Flush+0x9 server!Engine::Present+0x20 {Start}",
                name: "render")
        .Wait(0x104, new Resource(ResourceKind.GraphicsProcessor, 0, 0x104), WaitTimeout.Unknown, Grade.Derived)
        .Thread(0x100, "NtUserGetMessage", ThreadActivityKind.Idle, $"win32u!NtUserGetMessage+0x14 user32!GetMessageW+0x2e server!Main+0x40 {Start}")
        .Judged();

    /// <summary>More than are listed.</summary>
    public static Scene ManyWaits()
    {
        SceneBuilder scene = new();
        for (uint id = 0x200; id < 0x250; id += 4)
        {
            scene.Thread(id, "NtWaitForAlertByThreadId", ThreadActivityKind.Waiting,
                $"ntdll!NtWaitForAlertByThreadId+0x14 ntdll!TpWaitForWork+0x9f server!Drain+0x20 {Start}")
                .Wait(id, new Resource(ResourceKind.PoolCallbacks, 0, id), grade: Grade.Derived);
        }

        return scene.Judged();
    }

    /// <summary>Pool workers, completion ports and message pumps without work.</summary>
    public static Scene IdleServer() => new SceneBuilder()
        .Thread(0x100, "NtUserGetMessage", ThreadActivityKind.Idle, $"win32u!NtUserGetMessage+0x14 user32!GetMessageW+0x2e server!Main+0x40 {Start}")
        .Thread(0x104, "NtWaitForWorkViaWorkerFactory", ThreadActivityKind.Idle, $"ntdll!NtWaitForWorkViaWorkerFactory+0x14 ntdll+0x3c3f3 {Start}")
        .Thread(0x108, "NtRemoveIoCompletion", ThreadActivityKind.Idle,
            $"ntdll!NtRemoveIoCompletion+0x14 kernelbase!GetQueuedCompletionStatus+0x53 server!Pool+0x10 {Start}")
        .Judged();

    private static Scene Owner(WaitTimeout timeout, long? milliseconds) => new SceneBuilder()
        .WaitingForHandle(0x100, $"server!Journal::Flush+0x41 {Start}").Wait(0x100, new Resource(ResourceKind.Event, 0x44), timeout, milliseconds: milliseconds)
        .Own(s_lock, 0x100)
        .Waiting(0x104, $"server!Journal::Add+0x41 {Start}").Wait(0x104, s_lock)
        .Judged();
}
