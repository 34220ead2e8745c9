using System.Globalization;
using Dump.Model.Process;
using Dump.Model.Verdicts;

namespace Dump.Testing.Renaming;

/// <summary>Judges a process again under other names and compares.</summary>
public static class RenamingCheck
{
    private static readonly int[] s_seeds = [1, 20_251, 7_919_003];

    /// <summary>Checks that a judgement does not depend on the order of threads, their ids and where modules and stacks lie.</summary>
    /// <param name="snapshot">The process.</param>
    /// <param name="judge">The judgement.</param>
    /// <exception cref="RenamingDifferenceException">It does.</exception>
    public static void Run(ProcessSnapshot snapshot, Func<ProcessSnapshot, AnalysisResult> judge) => Run([snapshot], s => judge(s[0]));

    /// <summary>The same for several snapshots of one process that are judged together.</summary>
    /// <param name="snapshots">The snapshots.</param>
    /// <param name="judge">The judgement.</param>
    /// <exception cref="RenamingDifferenceException">It does.</exception>
    public static void Run(ProcessSnapshot[] snapshots, Func<ProcessSnapshot[], AnalysisResult> judge) => Run(
        snapshots, judge, (result, renaming) => renaming.Back(result), (result, manner) => Canonical(manner).Lines(result));

    /// <summary>The same for wait chains.</summary>
    /// <param name="snapshot">The process.</param>
    /// <param name="chains">Finds the chains.</param>
    /// <exception cref="RenamingDifferenceException">It does.</exception>
    public static void Run(ProcessSnapshot snapshot, Func<ProcessSnapshot, IReadOnlyList<WaitChain>> chains) => Run(
        [snapshot], s => chains(s[0]), (found, renaming) => [.. found.Select(renaming.Back)], (found, manner) => Canonical(manner).Lines(found));

    /// <summary>Checks that another file of the same process, which lists the same threads in another order, is judged alike.</summary>
    /// <param name="snapshot">The process.</param>
    /// <param name="other">The same process as read from the other file.</param>
    /// <param name="judge">The judgement.</param>
    /// <param name="what">What was changed, with the seed.</param>
    /// <exception cref="RenamingDifferenceException">It is not.</exception>
    public static void Same(ProcessSnapshot snapshot, ProcessSnapshot other, Func<ProcessSnapshot, AnalysisResult> judge, string what)
    {
        ProcessRenaming sameNames = new(0, RenamingManner.Order, snapshot);
        CanonicalResult canonical = Canonical(RenamingManner.Order);
        Compare(canonical.Lines(judge(snapshot)), canonical.Lines(sameNames.Back(judge(other))), what);
    }

    private static CanonicalResult Canonical(RenamingManner manner) => new(KeepsOrder: manner != RenamingManner.Arbitrary);

    private static void Run<T>(ProcessSnapshot[] snapshots, Func<ProcessSnapshot[], T> judge, Func<T, ProcessRenaming, T> back, Func<T, RenamingManner,
        IReadOnlyList<string>> lines)
    {
        T original = judge(snapshots);
        foreach (RenamingManner manner in Enum.GetValues<RenamingManner>())
        {
            IReadOnlyList<string> expected = lines(original, manner);
            foreach (int seed in s_seeds)
            {
                ProcessRenaming renaming = new(seed, manner, snapshots);
                T other = judge([.. snapshots.Select(renaming.Apply)]);
                Compare(expected, lines(back(other, renaming), manner),
                    string.Create(CultureInfo.InvariantCulture, $"{snapshots[^1].Source.DisplayName}, {manner}, seed {seed}"));
            }
        }
    }

    private static void Compare(IReadOnlyList<string> expected, IReadOnlyList<string> actual, string what)
    {
        if (!expected.SequenceEqual(actual))
        {
            string[] lost = [.. expected.Except(actual)], added = [.. actual.Except(expected)];
            throw new RenamingDifferenceException(
                $"Another judgement under other names ({what}).\nWithout renaming:\n{string.Join('\n', lost.Length + added.Length == 0 ? expected : lost)}\nRenamed:\n{string.Join('\n', lost.Length + added.Length == 0 ? actual : added)}");
        }
    }
}
