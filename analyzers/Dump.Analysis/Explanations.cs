using Dump.Analysis.Detection;
using Dump.Model.Facts;
using Dump.Model.Verdicts;

namespace Dump.Analysis;

/// <summary>
/// Verdicts, and which of them explain another one. Indexed by thread: with thousands of verdicts each would otherwise be compared
/// with all others.
/// </summary>
internal sealed class Explanations
{
    private readonly Dictionary<uint, List<Verdict>> _byThread = [];

    /// <summary>Adds verdicts.</summary>
    public void Add(IEnumerable<Verdict> verdicts)
    {
        foreach (Verdict verdict in verdicts)
        {
            foreach (uint thread in verdict.Threads.Concat(verdict.Victims.SelectMany(v => v.ThreadIds)).Distinct())
            {
                if (!_byThread.TryGetValue(thread, out List<Verdict>? involved))
                {
                    _byThread[thread] = involved = [];
                }

                involved.Add(verdict);
            }
        }
    }

    /// <summary>Those that explain a verdict, itself included if it is one of them; none explains a verdict on async methods without a thread.</summary>
    public IEnumerable<Verdict> Of(Verdict verdict) =>
        verdict.Threads.IsEmpty ? [] : _byThread.GetValueOrDefault(verdict.Threads[0], []).Where(e => Explains(e, verdict));

    /// <summary>
    /// True when all threads of the later verdict take part in, or queue behind, the earlier one, and the earlier one is not merely
    /// suspected where the later is better founded.
    /// </summary>
    public static bool Explains(Verdict earlier, Verdict later)
    {
        if (earlier.Confidence == Confidence.Suspected && later.Confidence > Confidence.Suspected && !SayTheSame(earlier, later))
        {
            return false;
        }

        return later.Threads.All(id => earlier.Threads.Contains(id) || earlier.Victims.Any(v => v.ThreadIds.Contains(id)));
    }

    /// <summary>True when both say that the very same threads run on and on: the earlier detector's says more of it, as it knows who suffers.</summary>
    private static bool SayTheSame(Verdict earlier, Verdict later) =>
        Runs(earlier) && Runs(later) && earlier.Threads.Order().SequenceEqual(later.Threads.Order());

    private static bool Runs(Verdict verdict) => DetectorRegistry.Find(verdict.DetectorId)?.Activity == SubjectActivity.Runs;
}
