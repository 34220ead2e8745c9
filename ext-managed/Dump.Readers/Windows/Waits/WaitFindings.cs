using Dump.Model.Process;
using Dump.Model.Waits;

namespace Dump.Readers.Windows.Waits;

/// <summary>What was found of one thread's wait.</summary>
/// <param name="Activity">What the thread does.</param>
/// <param name="Waits">What it waits for.</param>
/// <param name="Ownerships">Who holds that.</param>
internal sealed record WaitFindings(ThreadActivity Activity, IReadOnlyList<WaitFact> Waits, IReadOnlyList<OwnershipFact> Ownerships)
{
    /// <summary>The wait for objects or messages that the thread is in, or null.</summary>
    public MessageWait? MessageWait { get; init; }

    /// <summary>An activity without a wait.</summary>
    public static WaitFindings Only(ThreadActivity activity) => new(activity, [], []);
}
