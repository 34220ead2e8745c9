using System.Globalization;
using Dump.Capture.Watching.Looks;
using Dump.Capture.Windows.Messages;

namespace Dump.Capture.Watching.Conditions;

/// <summary>
/// A window takes no messages for a long time: no question to its thread was answered, and Windows calls it hung. That Windows does so at each look, which says
/// that no message was taken for 5 s, is what tells a hang from a thread that is busy and answers now and then, between the looks.
/// </summary>
/// <param name="For">How long.</param>
public sealed record HungWindowRule(TimeSpan For) : IWatchRule
{
    /// <summary>Windows calls a window hung when its thread has taken no message for so long (Microsoft Learn, "IsHungAppWindow function").</summary>
    public static readonly TimeSpan UntilHung = TimeSpan.FromSeconds(5);

    /// <inheritdoc/>
    public string Name => "--hung-window";

    /// <inheritdoc/>
    public IWatchCondition Begin() => new Condition(For);

    private sealed class Condition(TimeSpan least) : IWatchCondition
    {
        private readonly Dictionary<uint, TimeSpan> _since = [];

        // Windows shows another window in place of one that it calls hung.
        private readonly HashSet<ulong> _shown = [];

        public string? Check(ProcessLook look)
        {
            string? reason = null;
            HashSet<uint> silent = [];
            foreach (WindowAnswer answer in look.ReadWindows())
            {
                if (answer.IsVisible)
                {
                    _shown.Add(answer.Window);
                }

                if (!_shown.Contains(answer.Window) || answer.Response is not (WindowResponse.Silent or WindowResponse.Hung))
                {
                    continue;
                }

                silent.Add(answer.Thread);
                if (!_since.TryGetValue(answer.Thread, out TimeSpan since)
                    || (answer.Response == WindowResponse.Silent && look.Moment - since > UntilHung))
                {
                    // It has taken a message since then, or Windows would call it hung.
                    _since[answer.Thread] = since = look.Moment;
                }

                if (answer.Response == WindowResponse.Hung && look.Moment - since >= least)
                {
                    reason ??= string.Create(CultureInfo.InvariantCulture,
                        $"window 0x{answer.Window:x} of thread {answer.Thread} has not answered for {(look.Moment - since).TotalSeconds:0} s");
                }
            }

            foreach (uint thread in _since.Keys.Where(t => !silent.Contains(t)).ToArray())
            {
                _since.Remove(thread);
            }

            return reason;
        }
    }
}
