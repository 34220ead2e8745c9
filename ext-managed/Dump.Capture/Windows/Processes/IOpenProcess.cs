namespace Dump.Capture.Windows.Processes;

/// <summary>A process that is kept open: as long as it is, Windows gives its id to no other one, also after it has ended.</summary>
internal interface IOpenProcess : IDisposable
{
    /// <summary>When it started (UTC); null when Windows does not tell.</summary>
    DateTime? Started { get; }

    /// <summary>Processor time of all its threads so far; null when it has ended.</summary>
    TimeSpan? Processor { get; }

    /// <summary>Its command line; null when Windows does not tell.</summary>
    string? CommandLine { get; }
}
