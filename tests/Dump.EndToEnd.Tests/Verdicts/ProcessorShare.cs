using Dump.Analysis;
using Dump.Analysis.Options;
using Dump.Readers.Minidump;

namespace Dump.EndToEnd.Tests.Verdicts;

/// <summary>What a dump records of one thread's processor time: whether the machine let the thread run as its sample wants it to.</summary>
/// <param name="Used">Kernel and user time.</param>
/// <param name="Life">Time from the thread's creation to the dump, to the end of the second that the dump's header names.</param>
internal sealed record ProcessorShare(TimeSpan Used, TimeSpan Life)
{
    /// <summary>True when the thread had so little of the processor that no analyzer can call it busy.</summary>
    public bool IsStarved => Used / Life < AnalysisOptions.Default.BusyLoad;

    /// <summary>True when the thread has run long enough to be a runaway, wanted or not.</summary>
    public bool IsRunaway => !IsStarved && Used >= AnalysisOptions.Default.RunawayMinimumTime;

    /// <summary>True when the thread had so much of the processor that polling is all that it can have done.</summary>
    public bool OnlyPolls => IsRunaway && Used / Life >= AnalysisOptions.Default.PollingLoad;

    /// <summary>Reads it from the dump's thread information.</summary>
    public static ProcessorShare Of(string dump, uint thread)
    {
        using MinidumpFile file = MinidumpFile.Open(dump);
        MinidumpThreadInfo info = file.ThreadInfos![thread];
        DateTime created = DateTime.FromFileTimeUtc((long)info.CreateTime);
        return new ProcessorShare(
            TimeSpan.FromTicks((long)(info.KernelTime + info.UserTime)), file.Header.Written!.Value.AddSeconds(1) - created);
    }

    /// <inheritdoc/>
    public override string ToString() => FormattableString.Invariant($"{Used.TotalSeconds:0.0} s of processor time in {Life.TotalSeconds:0.0} s");
}
