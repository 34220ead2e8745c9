namespace Dump.Capture.Watching.Looks;

/// <summary>What looks at the processes of this machine, and finds them by their names.</summary>
public static class ProcessLooks
{
    /// <summary>For this system; null where living processes are not read. To be disposed where it can be.</summary>
    /// <param name="log">Told what cannot be seen, a sentence without a full stop each (sanitised).</param>
    public static IProcessLooks? OfThisSystem(Action<string> log) =>
        OperatingSystem.IsLinux() ? new LinuxProcessLooks() : OperatingSystem.IsWindows() ? WindowsProcessLooks.OfThisMachine(log) : null;

    /// <summary>Ids of the processes of a name, ascending; this program itself is left out.</summary>
    /// <param name="name">The name, of which <see cref="WatchTarget"/> says what it means; what is none has no process.</param>
    public static IReadOnlyList<int> Named(string name)
    {
        if (WatchTarget.Parse(name) is not { Name: not null } target)
        {
            return [];
        }

        IProcessLooks? looks = OfThisSystem(_ => { });
        using var open = looks as IDisposable;
        return [.. (looks?.Find(target) ?? []).Select(p => p.Id).Order()];
    }
}
