using System.Globalization;
using System.Text;
using Dump.Analysis;
using Dump.Model.Process;
using Dump.Model.Reported;
using Dump.Model.Verdicts;
using Dump.Readers.Minidump;
using Dump.Readers.Windows;
using Dump.Reports;
using Dump.Reports.Json;
using Dump.Testing;

namespace Dump.Readers.Tests.Fuzz;

/// <summary>Runs everything that the program does with a dump, and checks what must hold for any bytes.</summary>
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

    private static readonly TimeSpan s_maximumTime = TimeSpan.FromSeconds(20);

    /// <summary>
    /// Fails with a text that names the damage when another exception than the documented one escapes, or memory, time or the output are out of bounds.
    /// </summary>
    public static void Run(string damage, byte[] bytes, Peaks peaks)
    {
        long before = GC.GetAllocatedBytesForCurrentThread();
        long reading = 0;
        TimeSpan started = ThreadClock.Now;
        string text = "";
        try
        {
            using MinidumpFile dump = MinidumpFile.FromBytes(bytes);
            reading = GC.GetAllocatedBytesForCurrentThread() - before;
            text = Analyse(dump);
        }
        catch (InvalidDumpException error)
        {
            text = error.Message;
            Assert.True(!text.Contains('\n', StringComparison.Ordinal), $"{damage}: the message has several lines: {text}");
        }
        catch (Exception error)
        {
            Assert.Fail($"{damage}: {error}");
        }

        TimeSpan time = ThreadClock.Now - started;
        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        peaks.Add(damage, bytes.Length, reading, allocated, time);
        Assert.True(
            reading <= ReadingBase + ReadingFactor * bytes.Length && allocated <= TotalBase + TotalFactor * bytes.Length,
            $"{damage}: a file of {bytes.Length} bytes took {reading} bytes to read and {allocated} altogether");
        Assert.True(time <= s_maximumTime, $"{damage}: took {time.TotalSeconds} s of processor time");
        foreach (char character in text)
        {
            if (IsHarmful(character))
            {
                Assert.Fail($"{damage}: the output has the character U+{(int)character:X4}");
            }
        }
    }

    private static bool IsHarmful(char character) =>
        character is not ('\r' or '\n') && char.GetUnicodeCategory(character) is UnicodeCategory.Control or UnicodeCategory.Format;

    private static string Analyse(MinidumpFile dump)
    {
        using StringWriter text = new(new StringBuilder());
        MinidumpText.Write(dump, text);
        MinidumpJson.Write(dump, Stream.Null);
        ProcessSnapshot snapshot = WindowsSnapshotReader.Read(dump, "fuzz");
        AnalysisResult result = HangAnalysis.Run(snapshot);
        Assert.Equal([], result.Outcomes.Where(o => o.Kind == DetectorOutcomeKind.Failed).Select(o => $"{o.DetectorId} {o.Error}"));
        HangReport report = HangReports.Of(snapshot, result, allStacks: true);
        TextReport.Write(report, text, TextStyle.Plain);
        JsonReport.Write(report, Stream.Null);
        return text.ToString();
    }
}
