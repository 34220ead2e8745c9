namespace Dump.Clr.Awaits;

/// <summary>References into the heap from outside of it.</summary>
internal interface IRootReferences
{
    /// <summary>Words of stacks, and what handles of every kind refer to; what is no reference among them does no harm.</summary>
    /// <param name="without">Threads whose stacks are left out.</param>
    IEnumerable<ulong> Words(IReadOnlySet<uint> without);

    /// <summary>What stacks and registers refer to as the runtime tells it: slower.</summary>
    /// <param name="without">Threads whose stacks are left out.</param>
    IEnumerable<ulong> Exact(IReadOnlySet<uint> without);

    /// <summary>What handles lead to, by how they do.</summary>
    HandleReferences Handles { get; }

    /// <summary>
    /// What stacks and registers refer to: as the runtime tells it, which a collection relies on too; of a thread that it could not stop where it is, every word
    /// besides.
    /// </summary>
    /// <param name="without">Threads that are left out.</param>
    IEnumerable<ulong> Held(HashSet<uint> without);

    /// <summary>False where what a stack or the registers of some thread refer to is not known.</summary>
    bool AreKnown { get; }

    /// <summary>Which of some objects the stacks and registers of threads refer to, as the runtime tells it.</summary>
    /// <param name="objects">The objects.</param>
    /// <param name="without">Threads that are left out.</param>
    IEnumerable<(uint Thread, ulong Object)> Having(IReadOnlySet<ulong> objects, IReadOnlySet<uint> without);
}
