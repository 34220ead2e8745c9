using System.Collections.Immutable;
using System.Globalization;
using System.Text;
using Dump.Analysis.Detection;
using Dump.Analysis.Names;
using Dump.Model.Facts;
using Dump.Model.Merging;
using Dump.Model.Reported;
using Dump.Model.Text;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Merging;

/// <summary>Signatures of hangs. The rules stand in <c>docs/signatures.md</c>; a change of any of them needs a new version.</summary>
public static class HangSignatures
{
    /// <summary>Version of the rules.</summary>
    public const int RulesVersion = 4;

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
                ? Make(SignatureKind.Stack, "no verdict", [.. Whole(entries), .. Awaited(focus, system)], report)
                : null;
    }

    private static IEnumerable<SignatureLine> Whole(IEnumerable<SignatureEntry> entries) => entries.Select(e => new SignatureLine(e.Text, []) { Source = e });

    /// <summary>Many a first thread only waits for the end of another one, in every hang of the program alike.</summary>
    private static IEnumerable<SignatureLine> Awaited(ReportedFocus focus, HashSet<string> system) => focus.Awaited is { } awaited
        ? [new SignatureLine("waits for the end of a thread in", []), .. Whole(SignatureStack.Of(awaited.Frames, system).Whole(MostFocusEntries))] : [];

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

/// <summary>A verdict as the lines of its signature, one for each thread that makes it, in an order that neither ids nor the dump decide.</summary>
/// <param name="verdict">The verdict.</param>
/// <param name="system">File names, in lower case, of the modules that the dump says are the system's.</param>
internal sealed class VerdictShape(ReportedVerdict verdict, HashSet<string> system)
{
    /// <summary>Null for a detector of a newer version, whose verdicts are taken as those of most detectors.</summary>
    private readonly DetectorDescriptor? _detector = DetectorRegistry.Find(verdict.DetectorId);

    private readonly Dictionary<uint, SignatureStack> _stacks =
        verdict.Stacks.GroupBy(s => s.ThreadId).ToDictionary(g => g.Key, g => SignatureStack.Of(g.First().Frames, system));

    /// <summary>The lines, with the entries that they are made of.</summary>
    public ImmutableArray<SignatureLine> Lines()
    {
        // Which threads block in pending methods, if any do, is another matter.
        if (!verdict.AsyncMethods.IsEmpty)
        {
            return SmallestRotation([.. verdict.AsyncMethods.Select(m => new SignatureLine($"awaits in {m}", []))]);
        }

        if (verdict.Failure is { } failure)
        {
            return [new SignatureLine($"fails with {failure}", verdict.Stacks is [var stack, ..] ? _stacks[stack.ThreadId].Failing() : [])];
        }

        ImmutableArray<ChainLink> chain = verdict.Chain;
        if (_detector?.Subject == VerdictSubject.AnyThread)
        {
            return [.. Sorted(chain.IsEmpty ? verdict.Stacks.Select(s => Thread(s.ThreadId)) : chain.Select(Waiter)).Take(1)];
        }

        if (_detector?.Subject == VerdictSubject.EachThread)
        {
            return [.. Sorted(chain.Where(l => _stacks.ContainsKey(l.ThreadId)).Select(Waiter))];
        }

        if (chain.IsEmpty)
        {
            return [.. Sorted(ImportantStacks().Select(s => Thread(s.ThreadId)))];
        }

        if (IsCycle(chain))
        {
            // Threads may wait for each other in several cycles, of which the verdict shows one that ids decide.
            return verdict.Threads.Distinct().Count() > chain.Length
                ? [.. Sorted(
                    verdict.Threads.Distinct().Where(_stacks.ContainsKey)
                        .Select(t => chain.FirstOrDefault(l => l.ThreadId == t) is { } link ? Waiter(link) : Waiter(t, "cycle")))]
                : SmallestRotation([.. chain.Select(Waiter)]);
        }

        return _detector?.Subject == VerdictSubject.Holder ? [Held(chain[0]), .. Rest(chain[1..])] : [.. Rest(chain)];
    }

    private static bool IsCycle(ImmutableArray<ChainLink> chain) => chain[^1].HolderThreadId == chain[0].ThreadId;

    /// <summary>Links in their order, and at the end the thread that holds the last resource and waits for nothing.</summary>
    private IEnumerable<SignatureLine> Rest(ImmutableArray<ChainLink> chain)
    {
        foreach (ChainLink link in chain)
        {
            yield return Waiter(link);
        }

        if (chain is [.., { HolderThreadId: { } holder }] && _stacks.ContainsKey(holder))
        {
            yield return Thread(holder);
        }
    }

    /// <summary>Of a writer and those beside it, the writers.</summary>
    private IEnumerable<ReportedStack> ImportantStacks()
    {
        ReportedStack[] writers = [.. verdict.Stacks.Where(s => s.Role?.StartsWith("changes", StringComparison.Ordinal) == true)];
        return writers.Length > 0 ? writers.Take(1) : verdict.Stacks;
    }

    private SignatureLine Held(ChainLink link) => link.HolderThreadId is { } holder && _stacks.TryGetValue(holder, out SignatureStack? stack)
        ? new SignatureLine($"holds {link.Resource.Facts.SignatureName}", verdict.Chain.Any(l => l.ThreadId == holder) ? [] : stack.Running())
        : new SignatureLine($"holds {link.Resource.Facts.SignatureName}", []);

    private SignatureLine Waiter(ChainLink link) => Waiter(link.ThreadId, link.Resource.Facts.SignatureName);

    private SignatureLine Waiter(uint thread, string kind) => new($"waits for {kind}", _stacks.GetValueOrDefault(thread)?.Waiting() ?? []);

    private SignatureLine Thread(uint thread) => _detector?.Activity switch
    {
        SubjectActivity.Runs => new SignatureLine("runs", _stacks[thread].Running()),
        SubjectActivity.InCollection => new SignatureLine("in collection", _stacks[thread].FromCollection().Waiting()),
        _ => new SignatureLine("stands", _stacks[thread].Waiting()),
    };

    private static IEnumerable<SignatureLine> Sorted(IEnumerable<SignatureLine> lines) =>
        lines.DistinctBy(l => l.Text).OrderBy(l => l.Text, StringComparer.Ordinal);

    /// <summary>The rotation of a cycle whose lines come first in ordinal order.</summary>
    private static ImmutableArray<SignatureLine> SmallestRotation(ImmutableArray<SignatureLine> cycle)
    {
        int best = 0;
        for (int start = 1; start < cycle.Length; start++)
        {
            best = Compare(cycle, start, best) < 0 ? start : best;
        }

        return [.. cycle[best..], .. cycle[..best]];
    }

    private static int Compare(ImmutableArray<SignatureLine> cycle, int first, int second)
    {
        for (int i = 0; i < cycle.Length; i++)
        {
            if (string.CompareOrdinal(cycle[(first + i) % cycle.Length].Text, cycle[(second + i) % cycle.Length].Text) is var order and not 0)
            {
                return order;
            }
        }

        return 0;
    }
}

/// <summary>A line of a signature: what a thread does, and in which functions, innermost first.</summary>
/// <param name="Part">What it does: <c>waits for Mutex</c>.</param>
/// <param name="Entries">In which functions.</param>
internal sealed record SignatureLine(string Part, ImmutableArray<SignatureEntry> Entries)
{
    /// <summary>For a line that is one entry: that entry; else null.</summary>
    public SignatureEntry? Source { get; init; }

    /// <summary>The line as it goes into the text of a signature: the part, then the entries, innermost first.</summary>
    public string Text => Entries.IsEmpty ? Part : $"{Part}: {string.Join(" < ", Entries.Select(e => e.Text))}";
}
