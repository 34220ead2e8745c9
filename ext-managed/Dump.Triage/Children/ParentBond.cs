using System.Globalization;
using System.Runtime.InteropServices;
using Dump.Model.Contract;

namespace Dump.Triage.Children;

/// <summary>
/// Ties a process to the one that started it (Linux): it dies when that one dies, also by SIGKILL, and is the head of a process group that can be ended as a
/// whole. The process does this itself when its environment asks for it, because .NET runs nothing between fork and exec. The kernel watches the thread that
/// started it, which therefore has to stay until the end.
/// </summary>
public static partial class ParentBond
{
    private const int SetParentDeathSignal = 1;
    private const int Kill = 9;

    /// <summary>Asks a process that is about to be started by this thread to tie itself to this process.</summary>
    /// <param name="environment">Its environment.</param>
    /// <param name="ownGroup">True to make it the head of a group of its own, false to leave it in this process' group.</param>
    public static void Ask(IDictionary<string, string?> environment, bool ownGroup)
    {
        environment[EnvironmentVariables.Parent] = Environment.ProcessId.ToString(CultureInfo.InvariantCulture);
        if (ownGroup)
        {
            environment[EnvironmentVariables.OwnGroup] = "1";
        }
        else
        {
            environment.Remove(EnvironmentVariables.OwnGroup);
        }
    }

    /// <summary>Does what the environment asks for; called at the very start. Ends the process when the one that started it is gone already.</summary>
    public static void Tie()
    {
        if (!OperatingSystem.IsLinux() || Environment.GetEnvironmentVariable(EnvironmentVariables.Parent) is not { } text)
        {
            return;
        }

        Environment.SetEnvironmentVariable(EnvironmentVariables.Parent, null);
        _ = Control(SetParentDeathSignal, Kill, 0, 0, 0);
        if (int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int parent) && ParentId() != parent)
        {
            // It died before the line above, so nobody would end this process.
            Environment.Exit(128 + Kill);
        }

        // Last: whoever sees the group knows that it dies with its parent.
        if (Environment.GetEnvironmentVariable(EnvironmentVariables.OwnGroup) is not null)
        {
            Environment.SetEnvironmentVariable(EnvironmentVariables.OwnGroup, null);
            _ = SetSession();
        }
    }

    [LibraryImport("libc", EntryPoint = "prctl")]
    private static partial int Control(int option, nuint first, nuint second, nuint third, nuint fourth);

    [LibraryImport("libc", EntryPoint = "setsid")]
    private static partial int SetSession();

    [LibraryImport("libc", EntryPoint = "getppid")]
    private static partial int ParentId();
}
