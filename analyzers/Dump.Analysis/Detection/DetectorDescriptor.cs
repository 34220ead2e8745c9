using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Verdicts;

namespace Dump.Analysis.Detection;

/// <summary>What a detector is: for lists and help, and for all that treats verdicts by the kind of what they say. Ids stand nowhere else.</summary>
/// <param name="Id">Stable id <c>DUMP####</c>; never reused.</param>
/// <param name="Title">Short title that names the bad pattern.</param>
/// <param name="Summary">One sentence: what it finds.</param>
/// <param name="Needs">One clause: the data without which it cannot answer.</param>
/// <param name="Family">What it belongs to; null for what cannot be asked for by itself.</param>
public sealed record DetectorDescriptor(string Id, string Title, string Summary, string Needs, DetectorFamily? Family)
{
    /// <summary>Whom its verdicts are about.</summary>
    public VerdictSubject Subject { get; init; } = VerdictSubject.Chain;

    /// <summary>What a thread does that its verdicts name and that waits for nothing.</summary>
    public SubjectActivity Activity { get; init; } = SubjectActivity.Stands;

    /// <summary>True for one that says something only where no other has found anything: what it sees follows from any other hang.</summary>
    public bool IsLastResort { get; init; }

    /// <summary>True for one that finds no hang: it neither explains the threads of others nor is explained by them.</summary>
    public bool StandsApart { get; init; }

    /// <summary>Name of the family on the command line, or null.</summary>
    public string? FamilyName => Family is { } family ? NameOf(family) : null;

    /// <summary>A verdict of this detector that says one sentence; more is added to it.</summary>
    /// <param name="sentence">What was found.</param>
    /// <param name="confidence">How sure that is: as sure as the weakest fact below it.</param>
    /// <param name="evidence">What it rests on.</param>
    /// <param name="threads">System ids of the threads that take part.</param>
    public Verdict Verdict(string sentence, Confidence confidence, ImmutableArray<Evidence> evidence, ImmutableArray<uint> threads) => new()
    {
        DetectorId = Id,
        Title = Title,
        Confidence = confidence,
        Claims = [new Claim(sentence, confidence, evidence)],
        Threads = threads,
    };

    /// <summary>Name of a family on the command line.</summary>
    public static string NameOf(DetectorFamily family) => family.ToString().ToLowerInvariant();
}

/// <summary>Detectors that belong together, so that one word asks for all of them (<c>--only spin</c>): the name in lower case.</summary>
public enum DetectorFamily
{
    /// <summary>The loader lock and load ownership.</summary>
    Loader,

    /// <summary>Locks and their owners.</summary>
    Lock,

    /// <summary>Tasks and the thread pool of .NET.</summary>
    Tasks,

    /// <summary>Threads that burn CPU time.</summary>
    Spin,

    /// <summary>Collections of .NET.</summary>
    Collections,

    /// <summary>Threads with a message loop that do not come back to it.</summary>
    Ui,

    /// <summary>Crashes, which are no hangs.</summary>
    Crash,
}

/// <summary>What a thread of a verdict does that waits for nothing, as signatures say it: it decides which of its frames count.</summary>
public enum SubjectActivity
{
    /// <summary>It stands somewhere.</summary>
    Stands,

    /// <summary>It executes code; where exactly, differs from moment to moment.</summary>
    Runs,

    /// <summary>It is inside of a collection; its frames count from there outwards.</summary>
    InCollection,
}

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
