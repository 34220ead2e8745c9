using System.Collections.Immutable;
using System.Globalization;
using System.Text;
using Dump.Analysis.Names;
using Dump.Model.Facts;
using Dump.Model.Merging;
using Dump.Model.Reported;
using Dump.Model.Text;
using Dump.Model.Verdicts;

namespace Dump.Analysis.Merging;

/// <summary>Signatures of hangs. The rules stand in <c>docs/signatures.md</c>; a change of any of them needs a new version.</summary>
public static class HangSignatures
{
    /// <summary>Version of the rules.</summary>
    public const int RulesVersion = 3;

    private const int MostFocusEntries = 12;
    private const int HashDigits = 16;

    /// <summary>The signature of a report, or null when there is neither a verdict nor a thread to look at.</summary>
    /// <param name="report">The report.</param>
    public static HangSignature? Of(HangReport report)
    {
        HashSet<string> system = SystemModules(report);
        return First(report, system) is { } first ? Make(SignatureKind.Verdict, first.Verdict.DetectorId, first.Lines, report) with
            {
                CrashPlace = CrashPlaces.Of(first.Verdict, report),
            }
            : report.Focus is { } focus && SignatureStack.Of(focus.Frames, system).Whole(MostFocusEntries) is { IsEmpty: false } entries
                ? Make(SignatureKind.Stack, "no verdict", [.. entries.Select(e => new SignatureLine(e.Text, []) { Source = e })], report)
                : null;
    }

    /// <summary>True for a hash that other rules than these have made, so that it is compared with none of theirs.</summary>
    /// <param name="hash">The hash of a class or an instance.</param>
    public static bool IsOfOtherRules(string hash) => hash.IndexOf('-', StringComparison.Ordinal) is > 1 and var end && hash[0] == 'v'
        && hash.AsSpan(1, end - 1).IndexOfAnyExceptInRange('0', '9') < 0
        && hash[1..end] != RulesVersion.ToString(CultureInfo.InvariantCulture);

    /// <summary>
    /// The verdict that a report is grouped by, or null when it has none: of the strongest the one with the
    /// smallest detector id, then with the smallest text, so that thread ids do not choose.
    /// </summary>
    public static ReportedVerdict? FirstVerdict(HangReport report) => report.Verdicts is [var only] ? only : First(report, SystemModules(report))?.Verdict;

    /// <summary>On Linux where a file lies does not say whose it is.</summary>
    private static HashSet<string> SystemModules(HangReport report) => report.Process.System?.StartsWith("Linux", StringComparison.Ordinal) == true
        ? []
        : report.Modules.Where(m => m.IsSystem == true).Select(m => m.Name.ToLowerInvariant()).ToHashSet(StringComparer.Ordinal);

    private static (ReportedVerdict Verdict, ImmutableArray<SignatureLine> Lines)? First(HangReport report, HashSet<string> system)
    {
        if (report.Verdicts.IsEmpty)
        {
            return null;
        }

        int strongest = report.Verdicts.Max(v => VerdictRank.Of(v.DetectorId, v.Confidence));
        return report.Verdicts.Where(v => VerdictRank.Of(v.DetectorId, v.Confidence) == strongest)
            .Select(v => (Verdict: v, Lines: new VerdictShape(v, system).Lines()))
            .OrderBy(v => v.Verdict.DetectorId, StringComparer.Ordinal)
            .ThenBy(v => string.Join('\n', v.Lines.Select(l => l.Text)), StringComparer.Ordinal)
            .First();
    }

    private static HangSignature Make(SignatureKind kind, string head, ImmutableArray<SignatureLine> lines, HangReport report)
    {
        SignatureEntry[] entries = [.. lines.SelectMany(l => l.Source is { } source ? [source] : l.Entries)];

        // Without any function of a program the class would be that of every program.
        string program = entries.Any(e => !e.IsPlatform) || report.Process.Name is not { } name ? head : $"{head} in {ModuleNames.Normal(name)}";
        string classText = string.Join('\n', [program, .. lines.Select(l => l.Text)]);
        string builds = string.Join('\n', Modules(entries, report));
        string instanceText = string.Join('\n', ((string[])[classText, builds, .. Places(entries)]).Where(t => t.Length > 0));
        return new HangSignature(kind, RulesVersion, Hash(classText), classText, Hash(instanceText), instanceText)
        {
            Builds = builds,
            NamesFunction = entries.Any(e => !e.IsPlatform && e.Offset is null),
        };
    }

    /// <summary>The modules that take part, with their versions and builds.</summary>
    private static IEnumerable<string> Modules(SignatureEntry[] entries, HangReport report) => entries.Select(e => e.Module).OfType<string>()
        .Select(m => m.ToLowerInvariant()).Distinct().Order(StringComparer.Ordinal)
        .Select(m => $"{m} {Build(report.Modules.FirstOrDefault(r => r.Name.Equals(m, StringComparison.OrdinalIgnoreCase)))}");

    /// <summary>Version and build of a module in words.</summary>
    internal static string Build(ReportedModule? module) => module switch
    {
        { Version: { } version, Build: { } build } => $"{version} (build {build})",
        { Version: { } version } => version,
        { Build: { } build } => $"build {build}",
        _ => "of unknown version",
    };

    /// <summary>Places of functions without a name, which only builds of one version share.</summary>
    private static IEnumerable<string> Places(SignatureEntry[] entries) => entries.Where(e => e.Offset is not null)
        .Select(e => string.Create(CultureInfo.InvariantCulture, $"{e.Module!.ToLowerInvariant()}+0x{e.Offset:x}")).Distinct().Order(StringComparer.Ordinal);

    private static string Hash(string text) => string.Create(
        CultureInfo.InvariantCulture, $"v{RulesVersion}-{Convert.ToHexStringLower(Sha256.HashData(Encoding.UTF8.GetBytes(text)))[..HashDigits]}");
}
