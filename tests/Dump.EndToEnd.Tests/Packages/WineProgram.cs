using Dump.EndToEnd.Tests.Triage;
using Dump.Testing;

namespace Dump.EndToEnd.Tests.Packages;

/// <summary>Starts Windows programs in the lab's Wine, as they are named in a package.</summary>
internal static class WineProgram
{
    private const string Script =
        """source "$0/lab/environment.sh"; o=$(mktemp); s=0; run_windows 170 "$o" "$@" || s=$?; cat "$o"; rm "$o"; exit "$s" """;

    /// <summary>Runs a program to its end; standard error comes with its output.</summary>
    public static ShellProgram Run(params string[] command) => RunIn([], command);

    /// <summary>The same, with variables of its environment.</summary>
    public static ShellProgram RunIn((string Name, string Value)[] environment, params string[] command) =>
        ShellProgram.Run("bash", ["-c", Script, Repository.Root, .. command], environment);
}
