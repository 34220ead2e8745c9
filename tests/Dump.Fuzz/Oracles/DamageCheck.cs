using System.Text;
using Dump.Analysis;
using Dump.Model.Process;
using Dump.Model.Reported;
using Dump.Model.Verdicts;
using Dump.Readers;
using Dump.Readers.Minidump;
using Dump.Readers.Windows;
using Dump.Reports;
using Dump.Reports.Json;
using Dump.Testing;

namespace Dump.Fuzz.Oracles;

/// <summary>Runs everything that the program does with a minidump, and checks what must hold for any bytes.</summary>
internal static class DamageCheck
{
    // Reading: a thread of 48 bytes becomes a record of some 350, a memory descriptor of 16 bytes a range of 24 that is listed, ordered and resolved: both
    // about 8 times. Two lists may claim the same bytes, hence 16. The base holds a thousand problems.
    private const long ReadingBase = 128 * 1024;
    private const long ReadingFactor = 16;

    // Everything: the smallest entry that all stages see is a thread of 48 bytes. It becomes records, rows of text and JSON and lines of the report,
    // about 10 KB when no two are alike: a file of 58,883 bytes whose thread list claims nearly all of it is 1,192 threads and takes 12.4 MB. The base is what
    // reports take for any dump.
    private const long TotalBase = 2 * 1024 * 1024;
    private const long TotalFactor = 224;

    /// <summary>The most bytes that all stages together may allocate for a file.</summary>
    public static long MostAllocated(int length) => TotalBase + TotalFactor * length;

    /// <summary>
    /// Fails with a text that names the damage when another exception than the documented one escapes, or memory, time or the output are out of bounds.
    /// </summary>
    public static void Run(string damage, byte[] bytes, Peaks peaks)
    {
        long before = GC.GetAllocatedBytesForCurrentThread() - MeasuredOutput.Allocated;
        TimeSpan started = ThreadClock.Now;
        long reading = 0;
        try
        {
            Analyse(bytes, out reading);
        }
        catch (Exception error)
        {
            throw new OracleException($"{damage}: {(error is OracleException ? error.Message : error)}");
        }

        TimeSpan time = ThreadClock.Now - started;
        long allocated = GC.GetAllocatedBytesForCurrentThread() - MeasuredOutput.Allocated - before;
        peaks.Add(damage, bytes.Length, reading, allocated, time);
        Oracle.Holds(
            allocated <= MostAllocated(bytes.Length), $"{damage}: a file of {bytes.Length} bytes took {reading} bytes to read and {allocated} altogether");
        Oracle.Holds(time <= Oracle.MostTime, $"{damage}: took {time.TotalSeconds} s of processor time");
    }

    /// <summary>Reads, judges and prints.</summary>
    /// <param name="bytes">A minidump, or any bytes.</param>
    /// <param name="reading">Bytes that opening the file allocated.</param>
    /// <returns>What came of it, in few words.</returns>
    public static string Analyse(byte[] bytes, out long reading)
    {
        long before = GC.GetAllocatedBytesForCurrentThread();
        reading = 0;
        try
        {
            using MinidumpFile dump = MinidumpFile.FromBytes(bytes);
            reading = GC.GetAllocatedBytesForCurrentThread() - before;
            Oracle.Holds(reading <= ReadingBase + ReadingFactor * bytes.Length, $"a file of {bytes.Length} bytes took {reading} bytes to read");
            return Print(dump);
        }
        catch (InvalidDumpException error)
        {
            return Oracle.IsSentence(error.Message);
        }
    }

    private static string Print(MinidumpFile dump)
    {
        using StringWriter text = new(new StringBuilder());
        MinidumpText.Write(dump, text);
        MeasuredOutput streams = MeasuredOutput.Fresh;
        MinidumpJson.Write(dump, streams);
        Oracle.IsJson(streams);
        string outcome = Judge(WindowsSnapshotReader.Read(dump, "fuzz"), text);
        Oracle.IsHarmless(text.ToString());
        return outcome;
    }

    /// <summary>Judges a snapshot and prints the report.</summary>
    /// <returns>The detectors with a verdict, and how many threads, frames, waits and problems there are.</returns>
    public static string Judge(ProcessSnapshot snapshot, TextWriter text)
    {
        AnalysisResult result = HangAnalysis.Run(snapshot);
        foreach (DetectorOutcome failed in result.Outcomes.Where(o => o.Kind == DetectorOutcomeKind.Failed))
        {
            throw new OracleException($"{failed.DetectorId} failed: {failed.Error}");
        }

        HangReport report = HangReports.Of(snapshot, result, allStacks: true);
        TextReport.Write(report, text, TextStyle.Plain);
        MeasuredOutput json = MeasuredOutput.Fresh;
        JsonReport.Write(report, json);
        Oracle.IsJson(json);
        return $"{string.Join(' ', result.Verdicts.Select(v => v.DetectorId))} "
            + $"{snapshot.Threads.Length} {snapshot.Threads.Sum(t => t.Stack.Frames.Length)} {snapshot.Waits.Length} {snapshot.Ownerships.Length} "
            + $"{snapshot.Problems.Length}";
    }
}
