namespace Dump.Clr.Blocking;

/// <summary>
/// <c>System.Threading.ThreadBlockingInfo</c> of .NET 9 to 11, a struct on the blocked thread's stack
/// (dotnet/runtime, src/libraries/System.Private.CoreLib/src/System/Threading/ThreadBlockingInfo.cs; the runtime's own waits fill the same fields).
/// </summary>
internal static class ThreadBlockingInfoLayout
{
    /// <summary>For a monitor the address of its sync block; for a <c>Lock</c> that of a stack slot which refers to it.</summary>
    public const int ObjectPointer = 0;

    /// <summary>0 entering a monitor, 1 waiting for its pulse, 2 entering a <c>Lock</c>, 3 a condition.</summary>
    public const int ObjectKind = 8;

    /// <summary>Time limit in milliseconds, -1 for none.</summary>
    public const int Milliseconds = 12;

    /// <summary>The next struct, of the wait further out.</summary>
    public const int Next = 16;

    public const int Size = 24;

    public const int MonitorEnter = 0;
    public const int MonitorWait = 1;
    public const int Lock = 2;
}
