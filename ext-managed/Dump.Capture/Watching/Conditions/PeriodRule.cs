using System.Globalization;
using Dump.Capture.Watching.Looks;

namespace Dump.Capture.Watching.Conditions;

/// <summary>From time to time, whatever the process does.</summary>
/// <param name="Every">The time between two captures.</param>
public sealed record PeriodRule(TimeSpan Every) : IWatchRule
{
    /// <inheritdoc/>
    public string Name => "--every";

    /// <inheritdoc/>
    public IWatchCondition Begin() => new Condition(Every);

    private sealed class Condition(TimeSpan every) : IWatchCondition
    {
        private TimeSpan? _since;

        public string? Check(ProcessLook look)
        {
            _since ??= look.Moment;
            if (look.Moment - _since < every)
            {
                return null;
            }

            _since = look.Moment;
            return string.Create(CultureInfo.InvariantCulture, $"{every.TotalSeconds:0.###} s have passed");
        }
    }
}
