using Dump.Model.Contract;

namespace Dump.Cli.Options;

/// <summary>
/// What earlier attempts at this run came to: a data-access library may crash, and the run is then made again
/// with fewer questions, and last without the managed half.
/// </summary>
internal static class EarlierAttempt
{
    /// <summary>Value of <see cref="EnvironmentVariables.Guarded"/> in a first attempt.</summary>
    public const string First = "1";

    /// <summary>Value of <see cref="EnvironmentVariables.Guarded"/> in an attempt after a crash.</summary>
    public const string Careful = "careful";

    /// <summary>Why there is no managed half in this run, or null when it is to be read.</summary>
    public static string? Crash { get; set; }

    /// <summary>Ends a guarded process whose call into the library comes to no end; null in one that nobody guards.</summary>
    public static Action? OnStall { get; set; }

    /// <summary>True in a run that follows a crash of the data-access library, and is not to ask what is known to crash it.</summary>
    public static bool IsCareful => Environment.GetEnvironmentVariable(EnvironmentVariables.Guarded) == Careful;
}
