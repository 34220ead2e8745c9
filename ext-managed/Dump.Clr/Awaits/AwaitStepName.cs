using Dump.Model.Managed;

namespace Dump.Clr.Awaits;

/// <summary>What tells a step of a chain from others.</summary>
/// <param name="Text">Method or operation.</param>
/// <param name="State">Number of the await, or null for what is no method.</param>
/// <param name="Loss">Why nothing seems to continue it.</param>
internal readonly record struct AwaitStepName(string Text, int? State, AsyncLoss Loss = AsyncLoss.None)
{
    /// <summary>True where it stands for the method before it, which runs and awaits nothing.</summary>
    public bool IsRunning { get; init; }

    /// <summary>Operating system id of the thread that runs the method of the step before; null where none is known to.</summary>
    public uint? RunningThread { get; init; }

    /// <summary>The method; null where it is unknown or nobody asks.</summary>
    public MethodPlace? Code { get; init; }
}
