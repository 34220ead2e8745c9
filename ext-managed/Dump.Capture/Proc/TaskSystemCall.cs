using System.Globalization;

namespace Dump.Capture.Proc;

/// <summary>What <c>/proc/PID/task/TID/syscall</c> tells without stopping the thread (proc_pid_syscall(5)).</summary>
/// <param name="Number">The system call, or -1 when the thread is in none.</param>
/// <param name="Arguments">Its six arguments; empty when it is in none.</param>
/// <param name="StackPointer">RSP, or null when the thread runs.</param>
/// <param name="InstructionPointer">RIP, or null when the thread runs.</param>
internal sealed record TaskSystemCall(long Number, ulong[] Arguments, ulong? StackPointer, ulong? InstructionPointer)
{
    private const int ArgumentCount = 6;

    /// <summary>Reads the file's text: <c>running</c>, <c>-1 SP PC</c>, or number, six arguments, SP and PC. Null for any other text.</summary>
    public static TaskSystemCall? Parse(string? text)
    {
        string[] words = text?.Split(' ', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries) ?? [];
        if (words is ["running"])
        {
            return new TaskSystemCall(-1, [], null, null);
        }

        if (words.Length < 3 || !long.TryParse(words[0], NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out long number))
        {
            return null;
        }

        ulong?[] values = [.. words.Skip(1).Select(Address)];
        return values.Any(v => v is null) || values.Length != (number < 0 ? 2 : ArgumentCount + 2)
            ? null
            : new TaskSystemCall(number, [.. values.Take(values.Length - 2).Select(v => v!.Value)], values[^2], values[^1]);
    }

    private static ulong? Address(string text) =>
        text.StartsWith("0x", StringComparison.Ordinal)
            && ulong.TryParse(text.AsSpan(2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ulong value) ? value : null;
}
