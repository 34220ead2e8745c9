using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Process;

namespace Dump.Model.Reported;

/// <summary>What a report says about one dump: the part of <c>dump-report/1</c> that pages, signatures and overviews need. Made from a judgement, or read back from a report that was stored.</summary>
public sealed record HangReport
{
    /// <summary>Where the data come from.</summary>
    public required SourceDescription Source { get; init; }

    /// <summary>File name of the program, or null.</summary>
    public string? ProcessName { get; init; }

    /// <summary>Process id, or null when not recorded.</summary>
    public uint? ProcessId { get; init; }

    /// <summary>Name of the machine as the process knew it, or null when the dump does not say.</summary>
    public string? Machine { get; init; }

    /// <summary>One line that names the system, for example <c>Windows 10.0.19045 x64</c>, or null.</summary>
    public string? System { get; init; }

    /// <summary>Architecture of the process, for example <c>X64</c>, or null.</summary>
    public string? Architecture { get; init; }

    /// <summary>True when nothing was found and data are missing.</summary>
    public bool IsUndecidable { get; init; }

    /// <summary>Verdicts, strongest first.</summary>
    public ImmutableArray<ReportedVerdict> Verdicts { get; init; } = [];

    /// <summary>Detectors that failed or lacked data, in the order of their ids.</summary>
    public ImmutableArray<ReportedOutcome> Unanswered { get; init; } = [];

    /// <summary>What is missing in the dump, with capture advice.</summary>
    public ImmutableArray<MissingData> Missing { get; init; } = [];

    /// <summary>What was wrong with the input.</summary>
    public ImmutableArray<ReaderProblem> Problems { get; init; } = [];

    /// <summary>Ids of the detectors that were asked, when not all were: other hangs were not looked for. Empty when all were.</summary>
    public ImmutableArray<string> Only { get; init; } = [];

    /// <summary>Sentences on what the first of two dumps showed and the second does not.</summary>
    public ImmutableArray<string> Notes { get; init; } = [];

    /// <summary>All threads of the process, in the order of the dump; empty when the report does not list them.</summary>
    public ImmutableArray<ReportedThread> Threads { get; init; } = [];

    /// <summary>Modules ordered by name.</summary>
    public ImmutableArray<ReportedModule> Modules { get; init; } = [];

    /// <summary>The thread that a person would look at first when there is no verdict, with the reason as its role; null when there is none to prefer.</summary>
    public ReportedStack? Focus { get; init; }

    /// <summary>Stacks of all threads where they were asked for; else empty.</summary>
    public ImmutableArray<ReportedStack> Stacks { get; init; } = [];
}
