namespace Dump.Testing.Lab;

/// <summary>The C++ of the debugger extension and of its test host, as clang-tidy judges it.</summary>
public static class ExtensionSources
{
    private const int CleanExitCode = 0;
    private const int WarningsExitCode = 1;
    private const int UnavailableExitCode = 3;

    // Beside other tests it has taken more than a quarter of an hour.
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(45);

    /// <summary>Runs a script of the lab that checks them.</summary>
    /// <param name="script"><c>tidy.sh</c>, for example: exit status 0 clean, 1 with what it complains about, 3 something is missing.</param>
    /// <returns>What is missing, or null; and the complaints, empty when there are none.</returns>
    /// <exception cref="InvalidOperationException">The script ended otherwise.</exception>
    public static (string? Unavailable, string Complaints) Check(string script)
    {
        if (WineLab.Shared.Unavailable is { } unavailable)
        {
            return (unavailable, "");
        }

        LabScriptResult result = LabScript.Run(script, Limit);
        return result.ExitCode switch
        {
            CleanExitCode => (null, ""),
            WarningsExitCode => (null, result.Output + result.Errors),
            UnavailableExitCode => (result.Errors, ""),
            _ => throw new InvalidOperationException($"lab/{script} ended with {result.ExitCode}: {result.Errors}"),
        };
    }
}
