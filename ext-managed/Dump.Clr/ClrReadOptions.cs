using Dump.Readers;

namespace Dump.Clr;

/// <summary>How to read the managed half of a dump.</summary>
public sealed record ClrReadOptions
{
    /// <summary>Directory with the data-access library of the dump's runtime, given by the user; null to look among the installed runtimes.</summary>
    public string? DacDirectory { get; init; }

    /// <summary>Why the data-access library must not be used, in words: it has crashed on this dump before. Null to use it.</summary>
    public string? Crash { get; init; }

    /// <summary>Limits on untrusted input.</summary>
    public ReadLimits Limits { get; init; } = ReadLimits.Default;
}
