using System.Globalization;
using Dump.Model.Wording;

namespace Dump.Analysis.Looks;

/// <summary>Words that sentences on several dumps share.</summary>
internal static class PairText
{
    private const int MostThreads = 8;

    /// <summary>An earlier dump in the middle of a sentence.</summary>
    public static string Dump(EarlierLook look) => look.Count == 2 ? $"the first {Noun(look)}" : $"{Noun(look)} {look.Number} of {look.Count}";

    /// <summary>An earlier dump at the beginning of a sentence.</summary>
    public static string TheDump(EarlierLook look) => look.Count == 2 ? $"The first {Noun(look)}" : $"Dump {look.Number} of {look.Count}";

    /// <summary>How long before the last dump an earlier one was taken, between commas, or nothing when that is not known.</summary>
    public static string Earlier(EarlierLook look) => look.Pair.Elapsed is { } elapsed ? $", {Naming.Duration(elapsed)} earlier," : "";

    /// <summary>An earlier dump at the end of a sentence, with how long ago it was where that is known.</summary>
    public static string DumpBefore(EarlierLook look) => Dump(look) + Earlier(look).TrimEnd(',');

    /// <summary>Threads by their ids.</summary>
    public static string Threads(IReadOnlyCollection<uint> threads) =>
        (threads.Count == 1 ? "thread " : "threads ") + string.Join(", ", threads.Take(MostThreads).Select(t => $"0x{t:x}"))
            + (threads.Count > MostThreads ? ", ..." : "");

    /// <summary>Processor time used by threads, at most.</summary>
    public static string AtMost(TimeSpan used) => used == TimeSpan.Zero ? "next to no CPU time" : $"at most {Naming.Duration(used)} of CPU time";

    /// <summary>By what a thread is known to have run since an earlier dump, as a clause without a subject.</summary>
    public static string Moved(EarlierLook look, uint thread) => look.Pair.HasRun(thread) == true
        ? string.Create(CultureInfo.InvariantCulture, $"was woken {look.Pair.PausesOf(thread):N0} times")
        : $"has used {Naming.Duration(look.Pair.UsedBy(thread) ?? TimeSpan.Zero)} of CPU time";

    private static string Noun(EarlierLook look) => look.Pair.Later.Source.Noun;
}
