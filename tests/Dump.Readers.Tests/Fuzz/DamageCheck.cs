using System.Text;
using Dump.Analysis;
using Dump.Model;
using Dump.Readers.Minidump;
using Dump.Readers.Windows;
using Dump.Reports;

namespace Dump.Readers.Tests.Fuzz;

/// <summary>Runs everything that the program does with a dump, and checks what must hold for any bytes.</summary>
internal static class DamageCheck
{
    private static readonly TimeSpan s_maximumTime = TimeSpan.FromSeconds(1);

    /// <summary>Fails with a text that names the damage when another exception than the documented one escapes, or memory, time or the output are out of bounds.</summary>
    public static void Run(string damage, byte[] bytes, Peaks peaks)
    {
        long allocated = GC.GetAllocatedBytesForCurrentThread();
        TimeSpan started = ThreadClock.Now;
        string text = "";
        try
        {
            text = Analyse(bytes);
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
        allocated = GC.GetAllocatedBytesForCurrentThread() - allocated;
        peaks.Add(damage, allocated, time);
        long maximum = Peaks.MaximumAllocation(bytes.Length);
        Assert.True(allocated <= maximum, $"{damage}: {allocated} bytes allocated, at most {maximum} are expected");
        Assert.True(time <= s_maximumTime, $"{damage}: took {time.TotalSeconds} s of processor time");
        int control = text.AsSpan().IndexOfAnyExceptInRange(' ', '~');
        while (control >= 0 && (text[control] == '\n' || text[control] == Environment.NewLine[0] || !IsHarmful(text[control])))
        {
            int next = text.AsSpan(control + 1).IndexOfAnyExceptInRange(' ', '~');
            control = next < 0 ? -1 : control + 1 + next;
        }

        Assert.True(control < 0, $"{damage}: the output has the character U+{(control < 0 ? 0 : (int)text[control]):X4}");
    }

    private static bool IsHarmful(char character) =>
        char.GetUnicodeCategory(character) is System.Globalization.UnicodeCategory.Control or System.Globalization.UnicodeCategory.Format;

    private static string Analyse(byte[] bytes)
    {
        using MinidumpFile dump = MinidumpFile.FromBytes(bytes);
        using StringWriter text = new(new StringBuilder());
        MinidumpText.Write(dump, text);
        MinidumpJson.Write(dump, Stream.Null);
        ProcessSnapshot snapshot = WindowsSnapshotReader.Read(dump, "fuzz");
        AnalysisResult result = HangAnalysis.Run(snapshot);
        Assert.DoesNotContain(result.Outcomes, o => o.Kind == DetectorOutcomeKind.Failed);
        TextReport.Write(snapshot, result, text, TextStyle.Plain, allStacks: true);
        JsonReport.Write(snapshot, result, Stream.Null, allStacks: true);
        return text.ToString();
    }
}
