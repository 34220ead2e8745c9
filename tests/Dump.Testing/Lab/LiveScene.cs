using System.Diagnostics;
using System.Globalization;

namespace Dump.Testing.Lab;

/// <summary>A scene of <c>samples/managed</c> that is running; ended when disposed.</summary>
public sealed class LiveScene : IDisposable
{
    private const int ThreadsField = 17;
    private const int BeginField = 19;
    private static readonly TimeSpan EndLimit = TimeSpan.FromSeconds(30);
    private readonly Process process;
    private readonly string begin;

    /// <param name="process">What was started: the scene, or a shell that waits for it.</param>
    /// <param name="id">Process id of the scene.</param>
    /// <param name="lines">What it printed.</param>
    internal LiveScene(Process process, int id, IReadOnlyList<string> lines)
    {
        this.process = process;
        ProcessId = id;
        Lines = lines;
        begin = Stat(id)![BeginField];
    }

    /// <summary>What it printed until it was ready.</summary>
    public IReadOnlyList<string> Lines { get; }

    /// <summary>Its process id.</summary>
    public int ProcessId { get; }

    /// <summary>Operating system ids of the threads with a role.</summary>
    /// <param name="role">The role.</param>
    public IReadOnlyList<uint> Threads(string role) =>
    [
        .. Lines.Select(l => l.Split(' ', 3)).Where(l => l is ["thread", _, var name] && name == role)
            .Select(l => uint.Parse(l[1], CultureInfo.InvariantCulture)),
    ];

    /// <summary>The state letter of its main thread: T and t mean stopped.</summary>
    public char State => Stat(ProcessId)![0][0];

    /// <summary>Id of the process that traces it, 0 for none.</summary>
    public int Tracer => int.Parse(
        File.ReadLines($"/proc/{ProcessId}/status").Single(l => l.StartsWith("TracerPid:", StringComparison.Ordinal)).AsSpan(10), NumberStyles.Integer,
            CultureInfo.InvariantCulture);

    /// <summary>State letters of all its threads; one that ends meanwhile has none.</summary>
    public string ThreadStates => string.Concat(Directory.GetDirectories($"/proc/{ProcessId}/task").Select(d => Stat(Path.GetFileName(d))?[0]));

    /// <summary>Processor time of a thread in hundredths of a second.</summary>
    /// <param name="thread">Operating system id.</param>
    public long ProcessorTicks(uint thread) => Stat(thread) is { } fields ? Number(fields[11]) + Number(fields[12]) : 0;

    /// <summary>Sends a signal by its name, for example <c>CONT</c>.</summary>
    /// <param name="name">Its name without SIG.</param>
    public void Signal(string name)
    {
        using Process sender = Process.Start("kill", [$"-{name}", $"{ProcessId}"]);
        sender.WaitForExit();
    }

    /// <summary>Waits for its end.</summary>
    /// <param name="limit">Longest time.</param>
    public void WaitForEnd(TimeSpan limit) => process.WaitForExit(limit);

    /// <inheritdoc/>
    public void Dispose()
    {
        if (IsAlive)
        {
            Signal("KILL");
        }

        if (!process.WaitForExit(EndLimit))
        {
            process.Kill();
        }

        process.Dispose();
    }

    /// <summary>True while it runs, be it without its first thread: another process that was given the same id began later.</summary>
    private bool IsAlive => Stat(ProcessId) is { } fields && (fields[0] is not ("Z" or "X") || Number(fields[ThreadsField]) > 1) && fields[BeginField] == begin;

    private static long Number(string text) => long.Parse(text, CultureInfo.InvariantCulture);

    /// <summary>Fields of <c>stat</c> from the state on; null when the thread has ended.</summary>
    private string[]? Stat(object thread)
    {
        try
        {
            string text = File.ReadAllText($"/proc/{ProcessId}/task/{thread}/stat");
            return text[(text.LastIndexOf(')') + 2)..].Split(' ');
        }
        catch (IOException)
        {
            return null;
        }
    }
}
