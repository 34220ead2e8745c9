namespace Dump.Testing.Lab;

/// <summary>The debugger extension, built and laid out as it is shipped, loaded into Microsoft's debugger engine under Wine.</summary>
public sealed class ExtensionLab
{
    private const int UnavailableExitCode = 3;
    private static readonly TimeSpan BuildLimit = TimeSpan.FromMinutes(30);
    private static readonly Lazy<ExtensionLab> Built = new(() => new ExtensionLab("plain"));
    private static readonly Lazy<ExtensionLab> WithFaultCommands = new(() => new ExtensionLab("faults"));

    private ExtensionLab(string kind)
    {
        if (WineLab.Shared.Unavailable is { } unavailable)
        {
            Unavailable = unavailable;
            return;
        }

        LabScriptResult result = LabScript.Run("extension.sh", BuildLimit, kind);
        Unavailable = result.ExitCode switch
        {
            0 => null,
            UnavailableExitCode => result.Errors,
            _ => throw new InvalidOperationException($"lab/extension.sh ended with {result.ExitCode}: {result.Errors}"),
        };
        Directory = result.Output.Trim();
    }

    /// <summary>The extension as it is shipped.</summary>
    public static ExtensionLab Shipped => Built.Value;

    /// <summary>The same with commands that fail on purpose.</summary>
    public static ExtensionLab Faulty => WithFaultCommands.Value;

    /// <summary>Why it cannot be built or run on this machine, for a skipped test; null when it can.</summary>
    public string? Unavailable { get; }

    /// <summary>Where <c>dumpext.dll</c> and the folder <c>engine</c> lie.</summary>
    public string Directory { get; } = "";

    /// <summary>The command that loads it.</summary>
    /// <param name="directory">Where it lies; null for <see cref="Directory"/>.</param>
    public string Load(string? directory = null) => $".load {WineLab.WindowsPath(Path.Combine(directory ?? Directory, "dumpext.dll"))}";

    /// <summary>The commands that unload it, which ends its engine, and load it again.</summary>
    public string[] Anew => [$".unload {WineLab.WindowsPath(Path.Combine(Directory, "dumpext.dll"))}", Load()];

    /// <summary>What the program prints, as the extension shows it: with its advice in the words of a debugger.</summary>
    public static string InDebuggerWords(string output) =>
        output.Replace("--images DIR", ".exepath+ DIR", StringComparison.Ordinal).Replace("--dac DIR", "-dac DIR", StringComparison.Ordinal);

    /// <summary>Loads it, runs commands on a dump, and gives what each of them printed, in order.</summary>
    /// <param name="dump">The dump.</param>
    /// <param name="commands">Commands of the debugger, of the extension, or of the host (<c>tests/dbghost</c>); <c>--dml</c> first for markup.</param>
    public IReadOnlyList<string> Run(string dump, params string[] commands)
    {
        string[] all = commands is ["--dml", .. var rest] ? ["--dml", Load(), .. rest] : [Load(), .. commands];
        return [.. Split(WineLab.Shared.RunDebugger(dump, all), all).Skip(1)];
    }

    /// <summary>The same on a running sample.</summary>
    /// <param name="sample">The sample, with its options.</param>
    /// <param name="isStopped">True to stop the sample's threads meanwhile.</param>
    /// <param name="commands">Commands as for a dump.</param>
    public (IReadOnlyList<string> Outputs, LabDump Sample) RunOnProcess(string[] sample, bool isStopped, params string[] commands) =>
        RunOnProcess(sample, isStopped ? DebuggerStance.Stopping : DebuggerStance.Passive, commands);

    /// <summary>The same.</summary>
    /// <param name="sample">The sample, with its options.</param>
    /// <param name="stance">How the debugger looks at it.</param>
    /// <param name="commands">Commands as for a dump.</param>
    public (IReadOnlyList<string> Outputs, LabDump Sample) RunOnProcess(string[] sample, DebuggerStance stance, params string[] commands)
    {
        string[] all = commands is ["--dml", .. var rest] ? ["--dml", Load(), .. rest] : [Load(), .. commands];
        (string output, LabDump said) = WineLab.Shared.RunDebuggerOnProcess(sample[0], stance, sample[1..], all);
        return ([.. Split(output, all).Skip(1)], said);
    }

    /// <summary>Cuts the host's output at the lines that state each command.</summary>
    /// <param name="output">What the host printed.</param>
    /// <param name="commands">The commands that it was given.</param>
    /// <exception cref="InvalidOperationException">It did not come to one of them.</exception>
    public static IReadOnlyList<string> Split(string output, string[] commands)
    {
        List<string> parts = [];
        int position = 0;
        foreach (string command in commands.Where(c => c != "--dml"))
        {
            string head = $"> {command}\n";
            int start = output.IndexOf(head, position, StringComparison.Ordinal);
            if (start < 0)
            {
                throw new InvalidOperationException($"The debugger did not come to '{command}': {output}");
            }

            if (position > 0)
            {
                parts.Add(output[position..start]);
            }

            position = start + head.Length;
        }

        parts.Add(output[position..]);
        return parts;
    }
}
