using Dump.Model.Contract;

namespace Dump.Cli.Options;

/// <summary>Whether this process is to leave out of its answers what strings of the dumped process say.</summary>
internal static class WithheldText
{
    /// <summary>True when the process that started this one asks for it.</summary>
    public static bool IsAsked => Environment.GetEnvironmentVariable(EnvironmentVariables.WithholdStrings) is { Length: > 0 };
}
