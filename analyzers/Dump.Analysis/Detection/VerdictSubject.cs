namespace Dump.Analysis.Detection;

/// <summary>Whom the verdicts of a detector are about: what signatures begin with, and what a second dump is asked about.</summary>
public enum VerdictSubject
{
    /// <summary>All threads of the chain, in its order; without a chain, those whose stacks are shown.</summary>
    Chain,

    /// <summary>All threads of the chain, in no order, one for each of the same stack: those whose stacks are shown stand for the others.</summary>
    EachThread,

    /// <summary>A thread that others queue behind: the first link of the chain is one of those, a victim.</summary>
    Holder,

    /// <summary>Threads of the same part, any of which may be met in another dump: the first of them in ordinal order stands for all.</summary>
    AnyThread,

    /// <summary>A thread that stands in a message handler, its first thread.</summary>
    Handler,
}
