using Dump.Capture.Windows.Processes;

namespace Dump.Capture.Tests.Windows;

/// <summary>A process that Windows lists.</summary>
/// <param name="Id">Process id.</param>
/// <param name="Program">File name of its program.</param>
internal sealed record RecordedProcess(int Id, string Program)
{
    /// <summary>How many threads it has.</summary>
    public int Threads { get; init; } = 1;

    /// <summary>False for one of somebody else.</summary>
    public bool MayBeOpened { get; init; } = true;

    /// <summary>Its command line.</summary>
    public string? CommandLine { get; init; }

    /// <summary>When it started.</summary>
    public DateTime Started { get; init; } = new(2026, 11, 26, 4, 0, 0, DateTimeKind.Utc);

    /// <summary>True when it has ended.</summary>
    public bool HasEnded { get; set; }

    /// <summary>How often it was opened.</summary>
    public int Opened { get; set; }

    /// <summary>How many of those are closed.</summary>
    public int Closed { get; set; }

    /// <summary>It, kept open.</summary>
    /// <param name="process">The process.</param>
    /// <param name="closed">Told of the end.</param>
    public sealed class Handle(RecordedProcess process, Action closed) : IOpenProcess
    {
        public DateTime? Started => process.Started;

        public TimeSpan? Processor => process.HasEnded ? null : TimeSpan.FromSeconds(3);

        public string? CommandLine => process.CommandLine;

        public void Dispose()
        {
            process.Closed++;
            closed();
        }
    }
}
