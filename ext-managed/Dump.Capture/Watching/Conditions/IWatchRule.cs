namespace Dump.Capture.Watching.Conditions;

/// <summary>A condition on which a process is captured.</summary>
public interface IWatchRule
{
    /// <summary>Its name, as on the command line.</summary>
    string Name { get; }

    /// <summary>Begins to watch one process.</summary>
    IWatchCondition Begin();
}
