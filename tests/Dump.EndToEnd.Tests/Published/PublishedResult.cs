using System.Globalization;
using System.Text.RegularExpressions;
using Dump.EndToEnd.Tests.Verdicts;

namespace Dump.EndToEnd.Tests.Published;

/// <summary>What the program said of a case in one variant.</summary>
/// <param name="Name">Case and variant.</param>
/// <param name="Verdicts">The verdicts with their confidence.</param>
/// <param name="ExitCode">The exit code.</param>
/// <param name="Missing">What was to be named and was not.</param>
/// <param name="Wanted">The verdict wanted, or <c>none</c>.</param>
/// <param name="WantedExitCode">The exit code wanted, or <c>any</c> of 0 and 13.</param>
internal sealed partial record PublishedResult(string Name, string[] Verdicts, int ExitCode, string[] Missing, string Wanted, string WantedExitCode)
{
    private const int CannotDecide = 13;

    /// <summary>False where it found something that is not there, or in another degree than the facts allow.</summary>
    public bool IsWrong => Wanted == "none" ? Verdicts.Length > 0 : Verdicts.Length > 0 && (Verdicts.Length > 1 || Verdicts[0] != Wanted);

    /// <summary>True where it said all that was wanted, and nothing else.</summary>
    public bool IsRight => !IsWrong && Missing.Length == 0 && (Wanted == "none" || Verdicts.Length == 1)
        && (WantedExitCode == "any" ? ExitCode is 0 or CannotDecide : ExitCode.ToString(CultureInfo.InvariantCulture) == WantedExitCode);

    /// <summary>The state in a word.</summary>
    public string Word => IsRight ? "right" : IsWrong ? "wrong" : "not yet";

    /// <summary>Runs the program on a dump of the case.</summary>
    public static PublishedResult Of(PublishedCase published, bool exportsOnly, string dump)
    {
        DumpAnalyze run = DumpAnalyze.Run(dump);
        return new PublishedResult(
            $"{published.Name}-{(exportsOnly ? "exports" : "symbols")}",
            [.. Verdict().Matches(run.Output).Select(m => $"{m.Groups[1].Value} {m.Groups[2].Value}")],
            run.ExitCode,
            [.. published.Said.Where(s => !run.Output.Contains(s, StringComparison.Ordinal))],
            exportsOnly ? published.Verdict.Exports : published.Verdict.Symbols,
            exportsOnly ? published.ExitCode.Exports : published.ExitCode.Symbols);
    }

    /// <summary>The result as one line.</summary>
    public override string ToString() =>
        $"{Name,-26} {Word,-8} exit {ExitCode,2}  {(Verdicts.Length == 0 ? "no verdict" : string.Join(", ", Verdicts))}"
        + (Missing.Length == 0 ? "" : $"; does not name {string.Join(", ", Missing)}");

    [GeneratedRegex(@"^(DUMP\d{4}) .+ \((Confirmed|Likely|Suspected)\)\r?$", RegexOptions.Multiline)]
    private static partial Regex Verdict();
}
