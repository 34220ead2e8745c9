using System.Collections.Immutable;
using Dump.Model.Process;
using Dump.Model.Text;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Frames;

/// <summary>The exception object that a thread has in flight, with those inside of it.</summary>
internal static class ThrownExceptions
{
    private const int LongestMessage = 400;
    private const int MostInner = 8;

    /// <summary>
    /// The exception, then its inner ones; empty when the thread has none. The runtime forgets an exception that was handled (seen in .NET 10), so this is the one
    /// that ends the program where it ends by one.
    /// </summary>
    public static ImmutableArray<ThrownException> Of(ClrThread thread)
    {
        ImmutableArray<ThrownException>.Builder found = ImmutableArray.CreateBuilder<ThrownException>();
        HashSet<ulong> seen = [];
        for (ClrException? exception = thread.CurrentException; exception is not null && found.Count <= MostInner && seen.Add(exception.Address);
            exception = exception.Inner)
        {
            found.Add(new ThrownException(
                SafeText.Clean(exception.Type?.Name ?? "unknown type", 256), exception.Message is { } message ? SafeText.Clean(message, LongestMessage) : null));
        }

        return found.ToImmutable();
    }
}
