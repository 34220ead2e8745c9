namespace Dump.Triage.Children;

/// <summary>What became of a dump that was handed to a worker.</summary>
/// <param name="Result">As of a process that was started for it alone.</param>
/// <param name="IsTaken">False when the worker had ended before it took the dump.</param>
/// <param name="Wanted">Null when it was analysed; else hash of the data-access library whose worker is to have it, empty for one without any.</param>
internal sealed record WorkerAnswer(ChildResult Result, bool IsTaken, string? Wanted)
{
    /// <summary>True when the data-access library failed on the dump: because of it, or because of one that it had read before.</summary>
    public bool HasLibraryFailed { get; init; }

    /// <summary>True when it says that the dump cannot be read: because of the dump, or because a worker that had others before has run out of something.</summary>
    public bool IsUnreadable => Result is { End: ChildEnd.Itself, ExitCode: Model.Contract.ExitCode.Unreadable };

    /// <summary>True when the program came to its end, with a report or with the reason why the dump cannot be read.</summary>
    public bool IsSound => Result is { End: ChildEnd.Itself, ExitCode: { } code }
        && (Model.Contract.ExitCode.IsAnswer(code) || code == Model.Contract.ExitCode.Unreadable);
}
