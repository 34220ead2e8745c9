namespace Dump.Capture.Tests.Watching;

/// <summary>What a process does over time.</summary>
/// <param name="Id">Process id; its threads have this and those that follow.</param>
/// <param name="Name">Its name.</param>
internal sealed record ScriptedProcess(int Id, string Name)
{
    /// <summary>When it starts.</summary>
    public TimeSpan From { get; init; }

    /// <summary>When it ends.</summary>
    public TimeSpan Until { get; init; } = TimeSpan.MaxValue;

    /// <summary>Processor time of each thread by the time.</summary>
    public Func<TimeSpan, TimeSpan>[] Used { get; init; } = [_ => TimeSpan.Zero];

    /// <summary>How many threads it has.</summary>
    public Func<TimeSpan, int> Threads { get; init; } = _ => 1;
}
