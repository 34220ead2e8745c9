using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Objects;

/// <summary>
/// Handlers of signals that the program has registered. The class library starts a thread that waits for signals as soon as the console is used; only this
/// table says whether anybody wants to hear of one. Source: dotnet/runtime, src/libraries/System.Private.CoreLib/src/System/Runtime/InteropServices,
/// PosixSignalRegistration.Unix.cs; seen on .NET 8, 9 and 10.
/// </summary>
internal static class SignalHandlers
{
    private const string Registration = "System.Runtime.InteropServices.PosixSignalRegistration";

    /// <summary>How many signals have a handler; null when that cannot be read.</summary>
    public static int? Count(ClrRuntime runtime) => LibraryField.Count(runtime, Registration, "s_registrations", table =>
        table.TryReadField("_count", out int used) && table.TryReadField("_freeCount", out int free) && used >= free && free >= 0 ? used - free : null);
}
