using System.Collections.Immutable;

namespace Dump.Analysis.Merging;

/// <summary>A line of a signature: what a thread does, and in which functions, innermost first.</summary>
/// <param name="Part">What it does: <c>waits for Mutex</c>.</param>
/// <param name="Entries">In which functions.</param>
internal sealed record SignatureLine(string Part, ImmutableArray<SignatureEntry> Entries)
{
    /// <summary>For a line that is one entry: that entry; else null.</summary>
    public SignatureEntry? Source { get; init; }

    /// <summary>The line as it goes into the text of a signature: the part, then the entries, innermost first.</summary>
    public string Text => Entries.IsEmpty ? Part : $"{Part}: {string.Join(" < ", Entries.Select(e => e.Text))}";
}
