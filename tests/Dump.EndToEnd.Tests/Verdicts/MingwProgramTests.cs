using System.Text;
using Dump.Analysis.Merging;
using Dump.Model.Merging;
using Dump.Model.Reported;
using Dump.Model.Wording;
using Dump.Reports.Json;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Verdicts;

/// <summary>
/// Two different deadlocks of a program that mingw-w64 has built, with libstdc++ and winpthreads inside, optimised and not. Its names are in the symbol table
/// of the
/// file and its lines in DWARF. No mutex of it stores an owner, so that no verdict is possible: the two are told by the thread that the first one joins.
/// </summary>
public sealed class MingwProgramTests
{
    private static readonly string[] s_functions = ["transfer", "audit", "restock", "pick"];

    [SkippableTheory]
    [InlineData("two-deadlocks-O0")]
    [InlineData("two-deadlocks-O2")]
    public void Two_deadlocks_are_two_and_each_thread_leads_to_its_line(string program)
    {
        Skip.If(WineLab.Shared.Unavailable is not null, WineLab.Shared.Unavailable);
        HangReport transfer = Report(WineLab.Shared.Dump(program, DumpKind.Full, "transfer")), again = Report(WineLab.Shared.DumpAgain(program, DumpKind.Full, "transfer"));
        HangReport restock = Report(WineLab.Shared.Dump(program, DumpKind.Full, "restock"));
        HangSignature one = HangSignatures.Of(transfer)!;
        Assert.Contains("shop::transfer", one.ClassText, StringComparison.Ordinal);
        Assert.DoesNotMatch("std::|__gthread|pthread_", one.ClassText);
        Assert.Equal(one.ClassText, HangSignatures.Of(again)!.ClassText);
        Assert.NotEqual(one.ClassHash, HangSignatures.Of(restock)!.ClassHash);
        Assert.Equal(Lines("transfer", "audit"), LookedAt(transfer));
        Assert.Equal(Lines("restock", "pick"), LookedAt(restock));
    }

    private static HangReport Report(LabDump dump)
    {
        DumpAnalyze run = DumpAnalyze.Run(dump.Path, "--images", WineLab.SampleDirectory, "--format", "json");
        Assert.Equal(13, run.ExitCode);
        return JsonReportReader.Read(Encoding.UTF8.GetBytes(run.Output));
    }

    private static string[] LookedAt(HangReport report) =>
    [
        .. report.OpenWaits.Select(w => w.LookAt).OfType<ReportedFrame>().Select(FrameWords.Own).Where(p => !p.Code.EndsWith("!main", StringComparison.Ordinal))
            .Select(p => $"{s_functions.First(f => p.Code.EndsWith("::" + f, StringComparison.Ordinal))} {p.Source?.Text}").Order(StringComparer.Ordinal),
    ];

    private static string[] Lines(params string[] functions)
    {
        string[] lines = File.ReadAllLines(Path.Combine(Repository.Root, "samples", "linux", "two-deadlocks.cpp"));
        return [.. functions.Select(f => $"{f} two-deadlocks.cpp:{Array.FindIndex(lines, l => l.Contains($"// {f} waits here", StringComparison.Ordinal)) + 1}")
            .Order(StringComparer.Ordinal)];
    }
}
