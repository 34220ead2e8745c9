namespace Dump.Model.Process;

/// <summary>What Unreal Engine's own crash writer says of the event for which it wrote a dump. Any program can write it.</summary>
/// <param name="CrashType">The kind of event (<c>Crash</c>, <c>Assert</c>, <c>Ensure</c>, <c>Stall</c> and others; letters and digits), or null when not told.</param>
/// <param name="IsEnsure">Whether it was a check that failed and after which the program went on; null when not told, as by old engines.</param>
/// <param name="IsStall">Whether a thread was late and the program went on; null when not told, as by old engines.</param>
public sealed record UnrealReport(string? CrashType, bool? IsEnsure, bool? IsStall)
{
    /// <summary>True for an event that ends nothing: the program went on, or hangs.</summary>
    public bool IsNoCrash => IsEnsure == true || IsStall == true || CrashType is "Ensure" or "Stall" or "Hang";

    /// <summary>In words, for people.</summary>
    public string Text
    {
        get
        {
            string[] parts =
            [
                .. CrashType is null ? (string[])[] : [$"CrashType {CrashType}"], .. IsEnsure is { } ensure ? [$"IsEnsure {Word(ensure)}"] : (string[])[],
                .. IsStall is { } stall ? [$"IsStall {Word(stall)}"] : (string[])[],
            ];
            return $"Unreal Engine's report: {(parts.Length == 0 ? "no kind is told" : string.Join(", ", parts))}";
        }
    }

    private static string Word(bool value) => value ? "true" : "false";
}
