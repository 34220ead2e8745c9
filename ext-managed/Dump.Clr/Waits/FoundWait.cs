using Dump.Clr.Locks;
using Dump.Model.Waits;

namespace Dump.Clr.Waits;

/// <summary>A wait with what is known of its target.</summary>
/// <param name="Fact">The wait.</param>
/// <param name="Target">The target.</param>
internal sealed record FoundWait(WaitFact Fact, WaitTarget Target)
{
    /// <summary>How it wants to enter a reader-writer lock; to write where the frames do not tell.</summary>
    public ReaderWriterLockMode Mode { get; init; }
}
