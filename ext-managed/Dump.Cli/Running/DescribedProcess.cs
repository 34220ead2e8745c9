using Dump.Readers.Minidump;

namespace Dump.Cli.Running;

/// <summary>A process that stands still in a debugger: a small dump describes it, and its memory is asked for.</summary>
/// <param name="Description">Path of the small dump, as it stands in the command line.</param>
/// <param name="Memory">Its memory.</param>
/// <param name="Pages">What was read of it already: one description is of one moment.</param>
internal sealed record DescribedProcess(string Description, AskedMemory Memory, ProcessPages Pages)
{
    /// <summary>The one that the question which is being answered is about; null for a question about a dump.</summary>
    public static DescribedProcess? Current { get; set; }

    /// <summary>The process that a dump describes; null when the dump stands for itself.</summary>
    public static DescribedProcess? Of(string path) => Current is { } process && process.Description == path ? process : null;
}
