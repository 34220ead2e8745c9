using System.Globalization;
using Dump.Capture.Watching.Looks;

namespace Dump.Capture.Watching.Conditions;

/// <summary>The process has so many threads: a pool that starves adds one after the other.</summary>
/// <param name="Least">How many.</param>
public sealed record ManyThreadsRule(int Least) : IWatchRule
{
    /// <inheritdoc/>
    public string Name => "--threads";

    /// <inheritdoc/>
    public IWatchCondition Begin() => new Condition(Least);

    private sealed class Condition(int least) : IWatchCondition
    {
        public string? Check(ProcessLook look) =>
            look.Threads >= least ? string.Create(CultureInfo.InvariantCulture, $"it has {look.Threads} threads") : null;
    }
}
