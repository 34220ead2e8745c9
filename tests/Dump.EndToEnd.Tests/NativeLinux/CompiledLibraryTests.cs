using System.Globalization;
using System.Runtime.Versioning;
using System.Text;
using System.Text.Json;
using Dump.Analysis.Merging;
using Dump.EndToEnd.Tests.Live;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.EndToEnd.Tests.Watching;
using Dump.Model.Merging;
using Dump.Model.Reported;
using Dump.Model.Wording;
using Dump.Reports.Json;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.NativeLinux;

/// <summary>
/// Two different deadlocks of one program, by several compilers with their libraries, optimised and not: what the compiler put into the program neither makes them
/// one nor hides the program's line.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed class CompiledLibraryTests : IDisposable
{
    private static readonly string[] s_functions = ["transfer", "audit", "restock", "pick"];
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(5);
    private readonly string _folder = Directory.CreateTempSubdirectory("dump-compiled-").FullName;

    /// <summary>Compiler and options.</summary>
    public static TheoryData<string, string> Compilers => new()
    {
        { "g++", "-O0" },
        { "g++", "-O2" },
        { "clang++", "-O0 -stdlib=libc++" },
        { "clang++", "-O2 -stdlib=libc++" },
        { "rustc", "-C opt-level=0" },
        { "rustc", "-C opt-level=2" },
    };

    [SkippableTheory]
    [MemberData(nameof(Compilers))]
    public void Two_deadlocks_are_two_and_each_thread_leads_to_its_line(string compiler, string options)
    {
        (string first, string second) = (Program(compiler, options, "first"), Program(compiler, options, "second"));
        HangReport transfer = Look(first, "transfer", "transfer"), restock = Look(first, "restock", "restock"), again = Look(second, "transfer", "again");
        HangSignature one = HangSignatures.Of(transfer)!;
        Assert.NotEqual(one.ClassHash, HangSignatures.Of(restock)!.ClassHash);
        Assert.Equal(one.ClassText, HangSignatures.Of(again)!.ClassText);
        Assert.DoesNotMatch("std::|__gthread|core::", one.ClassText);
        Assert.Equal(Lines(compiler, "transfer", "audit"), LookedAt(transfer));
        Assert.Equal(Lines(compiler, "restock", "pick"), LookedAt(restock));
    }

    /// <summary>The same deadlock of an optimised build and of one that is not, as far as no function ends in a jump, which leaves no frame.</summary>
    [SkippableTheory]
    [InlineData("g++", " -fno-optimize-sibling-calls")]
    [InlineData("clang++", " -stdlib=libc++")]
    public void Deadlock_has_one_class_with_and_without_optimisation(string compiler, string options) => Assert.Equal(
        HangSignatures.Of(Look(Program(compiler, "-O0" + options, "first"), "transfer", "plain"))!.ClassText,
        HangSignatures.Of(Look(Program(compiler, "-O2" + options, "second"), "transfer", "optimised"))!.ClassText);

    /// <summary>Of two different deadlocks and one that was caught twice, the watch of a folder deletes one of the two that are the same, and says so.</summary>
    [SkippableTheory]
    [InlineData("g++", "-O0")]
    [InlineData("clang++", "-O2 -stdlib=libc++")]
    public void Neither_of_two_deadlocks_is_deleted(string compiler, string options)
    {
        string program = Program(compiler, options, "first"), dumps = Directory.CreateDirectory(Path.Combine(_folder, "dumps")).FullName;
        Look(program, "transfer", "1-transfer");
        Look(program, "restock", "2-restock");
        Look(program, "transfer", "3-again");
        foreach (string core in Directory.GetFiles(_folder, "*.core"))
        {
            File.Move(core, Path.Combine(dumps, Path.GetFileName(core)));
        }

        using System.Diagnostics.Process watch = System.Diagnostics.Process.Start(WithError(
            DumpAnalyze.Start("triage", dumps, "--watch", "--prune", "1", "--out", Path.Combine(_folder, "out"), "--jobs", "1")))!;
        try
        {
            string? said = null;
            using CancellationTokenSource limit = new(s_limit);
            using CancellationTokenRegistration end = limit.Token.Register(watch.Kill);
            while (said is null && watch.StandardError.ReadLine() is { } line)
            {
                said = line.Contains("--prune deleted", StringComparison.Ordinal) ? line : null;
            }

            Assert.Contains("3-again.core", said, StringComparison.Ordinal);
            Assert.Contains("1-transfer.core", said, StringComparison.Ordinal);
            string[] left = [.. Directory.GetFiles(dumps, "*.core").Select(f => Path.GetFileName(f))];
            Assert.Equal(2, left.Length);
            Assert.Contains("2-restock.core", left);
        }
        finally
        {
            watch.Kill();
            watch.WaitForExit();
        }
    }

    /// <summary>The watch of processes keeps a capture of each.</summary>
    [SkippableFact]
    public void Two_deadlocks_are_two_captures()
    {
        string program = Program("g++", "-O0", "first"), captures = Path.Combine(_folder, "captures");
        using LiveScene transfer = NativeLinuxLab.StartProgram("transfer", program), restock = NativeLinuxLab.StartProgram("restock", program);
        using RunningWatch watch = new("two-deadlocks", "--out", captures, "--threads", "1", "--between", "1s", "--back-off", "1s", "--interval", "1s");
        watch.Until(w => w.Captures.Length == 2 && w.Said.Any(s => s.Contains("so it was not kept", StringComparison.Ordinal)));
        Assert.Equal(0, watch.End("TERM"));
        Assert.Equal(2, watch.Captures.Length);
    }

    /// <summary>Two that differ only further out than a signature counts have one signature, and are two captures all the same.</summary>
    [SkippableFact]
    public void Two_deadlocks_of_one_signature_are_two_captures()
    {
        string program = Program("g++", "-O0", "first"), captures = Path.Combine(_folder, "captures");
        using LiveScene buy = NativeLinuxLab.StartProgram("buy", program), rent = NativeLinuxLab.StartProgram("rent", program);
        using RunningWatch watch = new("two-deadlocks", "--out", captures, "--threads", "1", "--between", "1s", "--back-off", "1s", "--interval", "1s");
        watch.Until(w => w.Captures.Length == 2 && w.Said.Any(s => s.Contains("the same as in", StringComparison.Ordinal)));
        Assert.Equal(0, watch.End("TERM"));
        JsonElement[] kept = [.. watch.Captures.Select(c => JsonDocument.Parse(File.ReadAllText(Path.Combine(c, "capture.json"))).RootElement)];
        Assert.Equal(2, kept.Length);
        Assert.Equal(kept[0].Member("signature").GetString(), kept[1].Member("signature").GetString());
        Assert.NotEqual(kept[0].Member("programChain").GetString(), kept[1].Member("programChain").GetString());
        Assert.All(kept, k => Assert.Empty(JsonSchemaCheck.Errors(k.GetRawText())));
    }

    /// <summary>A capture that an earlier version has kept, by other rules, is known by its report.</summary>
    [SkippableFact]
    public void Capture_of_an_earlier_version_is_known()
    {
        string program = Program("g++", "-O0", "first"), captures = Path.Combine(_folder, "captures");
        using LiveScene scene = NativeLinuxLab.StartProgram("transfer", program);
        string[] line = [$"{scene.ProcessId}", "--out", captures, "--threads", "1", "--between", "1s", "--back-off", "1s", "--interval", "1s"];
        using (RunningWatch watch = new(line))
        {
            watch.Until(w => w.Captures.Length == 1);
            Assert.Equal(0, watch.End("TERM"));
        }

        string description = Path.Combine(Assert.Single(Directory.GetDirectories(captures)), "capture.json");
        File.WriteAllText(description, File.ReadAllText(description).Replace(
            string.Create(CultureInfo.InvariantCulture, $"\"v{HangSignatures.RulesVersion}-"), "\"v2-", StringComparison.Ordinal));
        using RunningWatch next = new(line);
        next.Until(w => w.Said.Any(s => s.Contains("so it was not kept", StringComparison.Ordinal)));
        Assert.Equal(0, next.End("TERM"));
        Assert.Empty(next.Captures);
    }

    /// <summary>The healthy twin gets no verdict.</summary>
    [SkippableFact]
    public void Same_work_in_one_order_is_no_hang()
    {
        using LiveScene scene = NativeLinuxLab.StartProgram("healthy", Program("g++", "-O2", "first"), rests: false);
        LiveLook.AssertStaysHealthy(scene, 3);
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private static System.Diagnostics.ProcessStartInfo WithError(System.Diagnostics.ProcessStartInfo start)
    {
        start.RedirectStandardError = true;
        return start;
    }

    private string Program(string compiler, string options, string folder)
    {
        string target = Path.Combine(Directory.CreateDirectory(Path.Combine(_folder, folder)).FullName, "two-deadlocks");
        string? unavailable = NativeLinuxLab.CompileTwoDeadlocks(compiler, target, options.Split(' '));
        Skip.If(unavailable is not null, unavailable);
        return target;
    }

    private HangReport Look(string program, string scene, string name)
    {
        using LiveScene running = NativeLinuxLab.StartProgram(scene, program);
        string core = Path.Combine(_folder, name + ".core");
        LiveLook.At(running, "--keep", core);
        return JsonReportReader.Read(Encoding.UTF8.GetBytes(DumpAnalyze.Run(core, "--format", "json").Output));
    }

    /// <summary>The program's functions that a report says to look at, with their lines; of Rust's mutexes no verdict can be.</summary>
    private static string[] LookedAt(HangReport report) =>
    [
        .. report.Verdicts.SelectMany(v => v.LookAt).Select(p => (p.Code, p.Source))
            .Concat(report.Verdicts.IsEmpty ? report.OpenWaits.Select(w => w.LookAt).OfType<ReportedFrame>().Select(FrameWords.Own) : [])
            .Select(p => $"{s_functions.First(f => p.Code.EndsWith("::" + f, StringComparison.Ordinal))} {p.Source?.Text}").Order(StringComparer.Ordinal),
    ];

    private static string[] Lines(string compiler, params string[] functions)
    {
        string source = compiler == "rustc" ? "two-deadlocks.rs" : "two-deadlocks.cpp";
        string[] lines = File.ReadAllLines(Path.Combine(Repository.Root, "samples", "linux", source));
        return [.. functions.Select(f => $"{f} {source}:{Array.FindIndex(lines, l => l.Contains($"// {f} waits here", StringComparison.Ordinal)) + 1}")
            .Order(StringComparer.Ordinal)];
    }
}
