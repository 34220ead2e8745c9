using Dump.Capture.Watching.Looks;

namespace Dump.Capture.Watching.Conditions;

/// <summary>What the process is there for does not answer.</summary>
/// <param name="Name">Its name, as on the command line.</param>
/// <param name="Probe">Asks.</param>
public sealed record NoAnswerRule(string Name, IAnswerProbe Probe) : IWatchRule
{
    /// <inheritdoc/>
    public IWatchCondition Begin() => new Condition(Probe);

    private sealed class Condition(IAnswerProbe probe) : IWatchCondition
    {
        public string? Check(ProcessLook look) => probe.Failure;
    }
}
