using System.Runtime.CompilerServices;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Frames;

/// <summary>
/// What ClrMD asks the data-access library through. Its own classes above that ask anew for what is the same on thousands of stacks, and have no way to the
/// interfaces that they do not use.
/// </summary>
internal static class RuntimeServices
{
    /// <summary>A service; null where this runtime has none of the kind.</summary>
    /// <param name="runtime">The runtime.</param>
    public static T? Of<T>(ClrRuntime runtime)
        where T : class => Services(runtime).GetService(typeof(T)) as T;

    // ClrMD 4.1; another version without the field ends in a MissingFieldException, which every test of a managed stack would show.
    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_services")]
    private static extern ref IServiceProvider Services(ClrRuntime runtime);
}
