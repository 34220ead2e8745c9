using Dump.Clr.Collections;
using Dump.Model;
using Dump.Readers;

namespace Dump.Clr;

/// <summary>How to read the managed half of a dump.</summary>
public sealed record ClrReadOptions
{
    /// <summary>Directory with the data-access library of the dump's runtime, given by the user; null to look among the installed runtimes.</summary>
    public string? DacDirectory { get; init; }

    /// <summary>Which collections to check for <see cref="ProcessSnapshot.CollectionScan"/>; null for those that stacks refer to.</summary>
    public CollectionRequest? Collections { get; init; }

    /// <summary>Limits on untrusted input.</summary>
    public ReadLimits Limits { get; init; } = ReadLimits.Default;
}
