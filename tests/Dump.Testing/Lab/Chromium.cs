namespace Dump.Testing.Lab;

/// <summary>Debian's Chromium, in which pages are tested.</summary>
public static class Chromium
{
    private const int UnavailableExitCode = 3;
    private static readonly TimeSpan s_setupLimit = TimeSpan.FromMinutes(6);
    private static readonly Lazy<(string? Path, string? Missing)> s_setup = new(() =>
    {
        LabScriptResult setup = LabScript.Run("browser.sh", s_setupLimit);
        return setup.ExitCode switch
        {
            0 => (setup.Output.Trim(), null),
            UnavailableExitCode => (null, setup.Errors),
            _ => throw new InvalidOperationException($"lab/browser.sh ended with {setup.ExitCode}: {setup.Errors}"),
        };
    });

    /// <summary>Why there is no browser on this machine, for a skipped test; null when there is one.</summary>
    public static string? Unavailable => OperatingSystem.IsLinux() ? s_setup.Value.Missing : "needs Linux";

    /// <summary>The program.</summary>
    public static string Path => s_setup.Value.Path ?? throw new InvalidOperationException(Unavailable);
}
