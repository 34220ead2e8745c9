namespace Dump.Clr.Tasks;

/// <summary>
/// The flags of a task (dotnet/runtime, src/libraries/System.Private.CoreLib/src/System/Threading/Tasks/Task.cs; the same from .NET Core 2.0 to .NET 10).
/// </summary>
internal static class TaskFlags
{
    /// <summary>The task that was running when it was made completes after it.</summary>
    public const int AttachedToParent = 0x4;

    /// <summary>It has been given to a scheduler.</summary>
    public const int Started = 0x1_0000;

    /// <summary>Its delegate has been called.</summary>
    public const int Invoked = 0x2_0000;

    /// <summary>It has failed.</summary>
    public const int Faulted = 0x20_0000;

    /// <summary>It has run to its end, failed or been cancelled.</summary>
    public const int Completed = 0x100_0000 | 0x40_0000 | Faulted;
}
