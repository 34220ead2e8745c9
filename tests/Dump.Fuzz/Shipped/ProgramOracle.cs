using System.Globalization;
using System.Text.Json;
using System.Text.RegularExpressions;
using Dump.Model.Contract;

namespace Dump.Fuzz.Shipped;

/// <summary>What must hold of every run of the shipped program.</summary>
internal static partial class ProgramOracle
{
    /// <summary>The most processor time of an input whose files together are below <see cref="SmallInput"/>.</summary>
    public static readonly TimeSpan MostProcessor = TimeSpan.FromSeconds(10);

    /// <summary>The most memory in bytes of such an input.</summary>
    public const long MostMemory = 500_000_000;

    /// <summary>Larger inputs may cost more.</summary>
    public const long SmallInput = 10_000_000;

    /// <summary>What does not hold of the analysis of one dump as JSON; null when all does.</summary>
    public static string? Failure(ProgramRun run, long length) =>
        OfCode(run.ExitCode) ?? OfErrors(run.Errors) ?? OfOutput(run) ?? (length < SmallInput ? OfCost(run, length) : null);

    /// <summary>The code of a program that came to its end: an answer, or a dump that cannot be read.</summary>
    public static string? OfCode(int? code) =>
        code is { } known && (ExitCode.IsAnswer(known) || known == ExitCode.Unreadable) ? null : ShippedProgram.Words(code);

    /// <summary>What standard error must not hold.</summary>
    public static string? OfErrors(string errors) => Fault().Match(errors) is { Success: true } match
        ? $"standard error: {errors[match.Index..Math.Min(errors.Length, match.Index + 300)]}" : null;

    /// <summary>What a run has cost beyond what is allowed.</summary>
    public static string? OfCost(ProgramRun run, long length) => run.Processor > MostProcessor || run.Memory > MostMemory
        ? string.Create(CultureInfo.InvariantCulture, $"{length:N0} bytes of files cost {run.Processor.TotalSeconds:0.0} s and {run.Memory / 1_000_000:N0} MB")
        : null;

    /// <summary>What came of it, in few words.</summary>
    public static string Outcome(ProgramRun run)
    {
        if (run.ExitCode is not { } code || !ExitCode.IsAnswer(code))
        {
            return $"{run.ExitCode} {run.Errors}";
        }

        using JsonDocument report = JsonDocument.Parse(run.Output);
        return $"{run.ExitCode} {OfReport(report.RootElement)} {run.Errors}";
    }

    /// <summary>What a report says, in few words: verdicts, problems, what is missing.</summary>
    public static string OfReport(JsonElement report)
    {
        string Texts(string list, string member) => !report.TryGetProperty(list, out JsonElement elements) ? ""
            : string.Join(';', elements.EnumerateArray().Select(e => e.TryGetProperty(member, out JsonElement text) ? text.ToString() : "").Distinct());
        return $"{Texts("verdicts", "id")}|{Texts("problems", "message")}|{Texts("missing", "what")}|{report.GetProperty("threads").GetArrayLength()} "
            + $"{report.GetProperty("waits").GetArrayLength()} {report.GetProperty("modules").GetArrayLength()}";
    }

    private static string? OfOutput(ProgramRun run)
    {
        if (run.ExitCode == ExitCode.Unreadable)
        {
            return run.Output.Length == 0 ? null : "a dump that cannot be read has an answer";
        }

        try
        {
            using JsonDocument report = JsonDocument.Parse(run.Output);
            return null;
        }
        catch (JsonException error)
        {
            return $"the answer is no JSON: {error.Message}";
        }
    }

    [GeneratedRegex(@"internal error|Unhandled exception|^\s+at \S+\(|Fatal error|Out of memory", RegexOptions.Multiline | RegexOptions.IgnoreCase)]
    private static partial Regex Fault();
}
