using System.Globalization;
using Dump.Capture.Watching.Looks;

namespace Dump.Capture.Watching.Conditions;

/// <summary>A window of the process does not answer, by Windows' own measurement.</summary>
/// <param name="For">How long.</param>
public sealed record HungWindowRule(TimeSpan For) : IWatchRule
{
    /// <inheritdoc/>
    public string Name => "--hung-window";

    /// <inheritdoc/>
    public IWatchCondition Begin() => new Condition(For);

    private sealed class Condition(TimeSpan limit) : IWatchCondition
    {
        private TimeSpan? _since;

        public string? Check(ProcessLook look)
        {
            if (look.HungWindow is null)
            {
                _since = null;
                return null;
            }

            _since ??= look.Moment;
            TimeSpan time = look.Moment - _since.Value;
            return time >= limit
                ? string.Create(CultureInfo.InvariantCulture, $"its window '{look.HungWindow}' has not answered for {time.TotalSeconds:0} s")
                : null;
        }
    }
}
