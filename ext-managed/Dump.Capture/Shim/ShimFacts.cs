using Dump.Model.Facts;
using Dump.Model.Process;

namespace Dump.Capture.Shim;

/// <summary>Joins what DbgShim lists with what was read: a runtime that only DbgShim knows makes the answer one that lacks something.</summary>
public static class ShimFacts
{
    /// <summary>Adds it.</summary>
    /// <param name="snapshot">What was read of a living process.</param>
    /// <param name="answer">What DbgShim answers of it.</param>
    public static ProcessSnapshot Join(ProcessSnapshot snapshot, ShimAnswer answer)
    {
        ShimRuntime[] unread = [.. answer.Runtimes.Where(r => !snapshot.Modules.Any(m => m.IsDotNetRuntime && m.Name.Equals(r.FileName, Comparison)))];
        return snapshot with
        {
            ManagedHalfOrigin = Joined(snapshot.ManagedHalfOrigin, Words(answer)),
            Missing =
            [
                .. snapshot.Missing,
                .. unread.Select(r => MissingData.Of(MissingKind.ManagedHalfOfShim, subject: r.Module)),
            ],
        };
    }

    /// <summary>What it answers, as a clause.</summary>
    public static string Words(ShimAnswer answer) => answer switch
    {
        { Failure: { } failure } => $"DbgShim does not tell which runtimes run: {failure}",
        { Runtimes.IsEmpty: true } => "DbgShim lists no .NET runtime",
        _ => "DbgShim lists " + string.Join(" and ", answer.Runtimes.Select(r => r.Module + (r.VersionText is { } text ? $" ({text})" : ""))),
    };

    private static StringComparison Comparison => OperatingSystem.IsWindows() ? StringComparison.OrdinalIgnoreCase : StringComparison.Ordinal;

    private static string Joined(string? one, string other) => one is null ? other : $"{one}; {other}";
}
