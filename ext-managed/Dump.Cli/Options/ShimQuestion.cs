using Dump.Capture;
using Dump.Capture.Shim;
using Dump.Capture.Windows.Calls;
using Dump.Clr.Runtimes;

namespace Dump.Cli.Options;

/// <summary>Which .NET runtimes run in a living process, where DbgShim is here to be asked.</summary>
internal static class ShimQuestion
{
    /// <summary>The library: the one that the user names, else one beside an installed runtime, on Windows only with Microsoft's signature.</summary>
    /// <param name="named">The file that the user names, or null.</param>
    public static LocatedShim Find(string? named) =>
        DebuggingShims.Find(named, file => OperatingSystem.IsWindows() ? MicrosoftSignature.ProblemOf(file) : null);

    /// <summary>Adds what it answers to a look; without the library the look stays as it is.</summary>
    /// <param name="live">The look.</param>
    /// <param name="named">The file that the user names, or null.</param>
    public static LiveSnapshot Ask(LiveSnapshot live, string? named) => live.Snapshot.ProcessId is { } process && Find(named).LoadPath is { } library
        ? live with { Snapshot = ShimFacts.Join(live.Snapshot, DbgShim.Ask(library, (int)process)) }
        : live;
}
