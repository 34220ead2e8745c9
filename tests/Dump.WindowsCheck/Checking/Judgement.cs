using System.Diagnostics;
using System.Text.Json;

namespace Dump.WindowsCheck.Checking;

/// <summary>What <c>dumpanalyze</c> says of a process or a dump.</summary>
/// <param name="ExitCode">Its exit code.</param>
/// <param name="Verdicts">Ids and confidence of the verdicts.</param>
/// <param name="System">The system as the report names it, or null.</param>
/// <param name="Problem">Why there is no report, or null.</param>
internal sealed record Judgement(int ExitCode, IReadOnlyList<string> Verdicts, string? System, string? Problem)
{
    private const int Undecidable = 13;
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(5);

    /// <summary>The answer in words.</summary>
    public string Words => Problem ?? (Verdicts.Count > 0 ? string.Join(", ", Verdicts) : ExitCode == Undecidable ? "cannot decide" : "nothing found");

    /// <summary>True when it is the expected one.</summary>
    public bool Is(string? expected) => Problem is null && (expected switch
    {
        null => ExitCode == 0 && Verdicts.Count == 0,
        "DUMP9001" => ExitCode == Undecidable,
        _ => Verdicts.Any(v => v.StartsWith(expected, StringComparison.Ordinal)),
    });

    /// <summary>Asks for it.</summary>
    /// <param name="program">Path of <c>dumpanalyze</c>.</param>
    /// <param name="arguments">Its arguments without the form.</param>
    public static Judgement Of(string program, params string[] arguments)
    {
        using Process run = Process.Start(new ProcessStartInfo(program, [.. arguments, "--format", "json"])
        {
            RedirectStandardOutput = true, RedirectStandardError = true, UseShellExecute = false,
        })!;
        Task<string> errors = run.StandardError.ReadToEndAsync(), output = run.StandardOutput.ReadToEndAsync();
        if (!run.WaitForExit(s_limit))
        {
            run.Kill(entireProcessTree: true);
            return new Judgement(-1, [], null, "no answer in 5 minutes");
        }

        try
        {
            using JsonDocument report = JsonDocument.Parse(output.Result);
            return new Judgement(run.ExitCode,
                [.. report.RootElement.GetProperty("verdicts").EnumerateArray()
                    .Select(v => $"{v.GetProperty("id").GetString()} {v.GetProperty("confidence").GetString()}")],
                report.RootElement.GetProperty("process").GetProperty("system").GetString(), null);
        }
        catch (Exception error) when (error is JsonException or KeyNotFoundException)
        {
            return new Judgement(run.ExitCode, [], null, $"no report: {errors.Result.Trim().ReplaceLineEndings(" ")}");
        }
    }
}
