using System.Runtime.Versioning;
using System.Text;
using Dump.Analysis.Merging;
using Dump.EndToEnd.Tests.Managed;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Model.Merging;
using Dump.Model.Reported;
using Dump.Reports;
using Dump.Reports.Json;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Triage;

/// <summary>
/// Signatures of real hangs: two runs of one program have the same, twenty defects have twenty, and the dumps say on which machine they were made.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed class RealSignatureTests : IDisposable
{
    private static readonly string[] s_scenes =
    [
        "monitor-cycle2", "monitor-cycle3", "monitor-synchronized", "lock-cycle", "mixed-cycle", "rwlock-cycle", "rwlock-reader-blocks-writer", "join-cycle",
            "task-wait-cycle", "monitor-orphan",
        "monitor-head-blocker", "lazy-cycle", "type-initializer-cycle", "lock-orphan", "sync-over-async-context", "pool-starvation", "dictionary-cycle",
            "sortedset-cycle", "linkedlist-cycle", "hashset-race",
    ];

    private readonly LinuxLab _lab = new();

    [SkippableFact]
    [Trait("Category", "Slow")]
    public void Twenty_defects_have_twenty_signatures_on_linux()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        (string Scene, HangSignature? Signature)[] signatures = [.. s_scenes.Select(s => (s, HangSignatures.Of(Report(_lab.Dump(s).Path))))];
        Assert.All(signatures, s => Assert.True(s.Signature is { Kind: SignatureKind.Verdict }, $"{s.Scene} has no verdict"));
        Assert.All(signatures, s => Assert.DoesNotMatch(@"0x|\d{4,}|__|[<>`]\d", s.Signature!.ClassText.Replace("DUMP", "", StringComparison.Ordinal)
            .Split('\n', 2)[1]));
        string[] shared = [.. signatures.GroupBy(s => s.Signature!.ClassHash).Where(g => g.Count() > 1)
            .Select(g => $"{string.Join(" and ", g.Select(s => s.Scene))}: {g.First().Signature!.ClassText}")];
        Assert.Empty(shared);
    }

    [SkippableTheory]
    [InlineData("mixed-cycle")]
    [InlineData("collections-sound")]
    public void Two_runs_of_one_program_have_one_signature_and_name_their_machine(string scene)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        HangReport first = ReportOf(scene, "lab-node-7"), second = ReportOf(scene, "lab-node-8");
        Assert.Equal(HangSignatures.Of(first)!.ClassText, HangSignatures.Of(second)!.ClassText);
        Assert.Equal(HangSignatures.Of(first)!.InstanceText, HangSignatures.Of(second)!.InstanceText);
        Assert.Equal(("lab-node-7", "lab-node-8"), (first.Process.Machine, second.Process.Machine));
        Assert.Contains(first.Modules, m => m.Name == "libcoreclr.so");
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [InlineData("dictionary-cycle")]
    public void Two_runs_of_another_program_have_one_signature_and_name_their_machine(string scene) =>
        Two_runs_of_one_program_have_one_signature_and_name_their_machine(scene);

    [SkippableFact]
    public void Two_runs_under_wine_have_one_signature_and_name_their_machine()
    {
        Skip.If(WineLab.Shared.Unavailable is not null, WineLab.Shared.Unavailable);
        HangReport first = Report(WineLab.Shared.Dump("head-blocker", DumpKind.Full).Path);
        HangReport second = Report(WineLab.Shared.DumpAgain("head-blocker", DumpKind.Full).Path);
        Assert.Equal(HangSignatures.Of(first), HangSignatures.Of(second));
        Assert.Equal(SignatureKind.Verdict, HangSignatures.Of(first)!.Kind);
        Assert.Matches("^[A-Za-z0-9-]{1,15}$", first.Process.Machine);
        Assert.Equal(first.Process.Machine, second.Process.Machine);
        Assert.Contains(first.Modules, m => m.Name.Equals("ntdll.dll", StringComparison.OrdinalIgnoreCase) && m.IsSystem == true);
    }

    public void Dispose() => _lab.Dispose();

    private HangReport ReportOf(string scene, string machine)
    {
        LabDump Make() => _lab.DumpAnew(scene, "withheap", ("HOSTNAME", machine));
        return ThrowingMoment.Passed(scene, Make(), Make, d => Report(d.Path), r => r.Verdicts.IsEmpty).Found;
    }

    private static HangReport Report(string dump) => JsonReportReader.Read(Encoding.UTF8.GetBytes(DumpAnalyze.Run(dump, "--format", "json").Output));
}
