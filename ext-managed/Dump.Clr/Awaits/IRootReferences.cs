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
}
