using Dump.Clr.Frames;
using Dump.Model.Text;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr;

/// <summary>Names of managed threads: <c>Thread._name</c>.</summary>
internal sealed class ManagedThreadNames(ManagedThreadObjects threads)
{
    private const int LongestName = 256;

    /// <summary>The name of a thread, or null when it has none or it cannot be read.</summary>
    public string? Of(ClrThread thread) =>
        threads.Of(thread) is { } target && target.TryReadStringField("_name", LongestName, out string? name) && name is { Length: > 0 }
            ? SafeText.Clean(name, LongestName)
            : null;
}
