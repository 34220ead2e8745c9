namespace Dump.Testing.Lab;

/// <summary>A native or managed sample that hangs under Wine and goes on hanging, for a look at it while it lives; ended when disposed.</summary>
public sealed class WineSample : IDisposable
{
    private const int MostAttempts = 3;
    private static readonly TimeSpan ReadyLimit = TimeSpan.FromMinutes(4);

    private WineSample(WineProcess process, LabDump facts)
    {
        Process = process;
        Facts = facts;
    }

    /// <summary>Its process.</summary>
    public WineProcess Process { get; }

    /// <summary>What it said of itself; there is no dump.</summary>
    public LabDump Facts { get; }

    /// <summary>Starts a sample and waits until it hangs.</summary>
    /// <param name="command">The sample and its options, as for <see cref="WineLab.Dump"/>.</param>
    /// <exception cref="InvalidOperationException">It did not reach its state.</exception>
    public static WineSample Start(params string[] command)
    {
        for (int attempt = 1; ; attempt++)
        {
            WineProcess process = WineProcess.Start([], Program(command));
            bool isReady = SpinWait.SpinUntil(() => process.HasEnded || HasLine(process, "ready") || HasLine(process, "failed"), ReadyLimit)
                && HasLine(process, "ready");
            if (isReady)
            {
                return new WineSample(process, LabDump.Parse("", process.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries)));
            }

            string said = process.Output + process.Errors;
            process.Dispose();
            if (attempt == MostAttempts)
            {
                throw new InvalidOperationException($"{string.Join(' ', command)} did not hang: {said}");
            }
        }
    }

    /// <inheritdoc/>
    public void Dispose() => Process.Dispose();

    private static bool HasLine(WineProcess process, string start) =>
        process.Output.Split('\n')[..^1].Any(l => l.StartsWith(start, StringComparison.Ordinal));

    /// <summary>As in lab/hang.sh: some samples are programs of their own, the others scenes of one.</summary>
    private static string[] Program(string[] command) =>
        File.Exists(Path.Combine(WineLab.SampleDirectory, command[0] + ".exe")) ? [$@"L:\{command[0]}.exe", .. command[1..]]
        : command[0].StartsWith("ui-", StringComparison.Ordinal) ? [@"L:\ui.exe", .. command]
        : [@"L:\hang.exe", .. command];
}
