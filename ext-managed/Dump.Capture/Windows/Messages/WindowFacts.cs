using System.Collections.Immutable;
using Dump.Model.Process;
using Dump.Model.Waits;

namespace Dump.Capture.Windows.Messages;

/// <summary>Joins what windows answered with what was read of the process right afterwards.</summary>
internal static class WindowFacts
{
    /// <summary>Adds to each thread the window of it that did not answer.</summary>
    /// <param name="snapshot">What was read.</param>
    /// <param name="answers">The answers.</param>
    public static ProcessSnapshot Join(ProcessSnapshot snapshot, IEnumerable<WindowAnswer> answers)
    {
        Dictionary<uint, UnansweredWindow> silent = answers.Where(a => a.Response is WindowResponse.Silent or WindowResponse.Hung)
            .ToDictionary(a => a.Thread, a => new UnansweredWindow(a.Window, a.IsVisible, a.Response == WindowResponse.Hung, WindowQuestions.Limit));
        ImmutableArray<ThreadSnapshot> threads = snapshot.Threads;
        return silent.Count == 0 ? snapshot : snapshot with
        {
            Threads = [.. threads.Select(t => silent.TryGetValue(t.Id, out UnansweredWindow? window) ? t with { UnansweredWindow = window } : t)],
        };
    }
}
