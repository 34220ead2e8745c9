namespace Dump.Benchmarks.Measuring;

/// <summary>Commands that do comparable work on the same dump, measured in turns so that a slow moment of the machine meets all of them.</summary>
/// <param name="Title">What is measured.</param>
/// <param name="Contestants">The commands; the first is the one that the others are compared with.</param>
/// <param name="Absent">Peers that could not take part, with the reason.</param>
/// <param name="Target">What the first command must keep; null for nothing.</param>
internal sealed record Contest(string Title, IReadOnlyList<Contestant> Contestants, IReadOnlyList<string> Absent, Target? Target = null)
{
    /// <summary>Measures all. A round that is not counted comes first: it fills the page cache and brings Wine's server up.</summary>
    /// <param name="runs">Rounds that count, at least 1.</param>
    /// <param name="folder">Where the programs' output goes.</param>
    public ContestResult Run(int runs, string folder)
    {
        List<Measurement>[] measured = [.. Contestants.Select(_ => new List<Measurement>())];
        WorkDone[] work = new WorkDone[Contestants.Count];
        List<double> loads = [];
        for (int round = 0; round <= runs; round++)
        {
            loads.Add(Machine.Load());
            for (int turn = 0; turn < Contestants.Count; turn++)
            {
                // Every round begins with another command, so that no place in the order favours one.
                int i = (round + turn) % Contestants.Count;
                string output = Path.Combine(folder, $"output-{i}.txt");
                Measurement one = MeasuredProcess.Run(Contestants[i].Command, output);
                WorkDone done = Contestants[i].Check(output, one.ExitCode);
                work[i] = done with { Failure = work[i].Failure ?? done.Failure };
                if (round > 0)
                {
                    measured[i].Add(one);
                }
            }
        }

        return new ContestResult(this, measured, work, loads);
    }
}
