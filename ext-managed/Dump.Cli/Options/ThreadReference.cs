using System.Globalization;
using System.Text.RegularExpressions;
using Dump.Model.Process;
using Dump.Model.Wording;

namespace Dump.Cli.Options;

/// <summary>
/// A thread as reports print it and debuggers name it: its number (<c>1</c>, <c>~1</c>) or its system id (<c>0xc4</c>, <c>c4</c>, <c>~~[c4]</c>, or decimal).
/// </summary>
internal sealed partial record ThreadReference
{
    private readonly string _text;

    private ThreadReference(string text) => _text = text;

    private uint? Number { get; init; }

    private uint? DecimalId { get; init; }

    private uint? HexadecimalId { get; init; }

    /// <summary>Reads one; null when it is none.</summary>
    public static ThreadReference? Parse(string text)
    {
        Match match = Forms().Match(text);
        if (!match.Success)
        {
            return null;
        }

        ThreadReference thread = new(text)
        {
            Number = Value(match.Groups["number"], NumberStyles.None),
            DecimalId = Value(match.Groups["plain"], NumberStyles.None),
            HexadecimalId = Value(match.Groups["hex"], NumberStyles.AllowHexSpecifier) ?? Value(match.Groups["plain"], NumberStyles.AllowHexSpecifier),
        };
        return (thread.Number ?? thread.DecimalId ?? thread.HexadecimalId) is null ? null : thread with { Number = thread.Number ?? thread.DecimalId };
    }

    /// <summary>
    /// Finds the thread. Plain digits are a number or a decimal id, whichever there is, and a hexadecimal id where there is neither: no thread is taken for
    /// another one.
    /// </summary>
    /// <param name="threads">Number and system id of all threads.</param>
    /// <param name="family">The system, by whose tools threads are named.</param>
    /// <param name="problem">Why none is found, as a sentence without a full stop that says what to give; null when one is.</param>
    /// <returns>Its system id, or null.</returns>
    public uint? Find(IReadOnlyCollection<(int Number, uint Id)> threads, OperatingSystemFamily family, out string? problem)
    {
        (int Number, uint Id)[] found = [.. threads.Where(t => t.Number == Number || t.Id == DecimalId).DistinctBy(t => t.Id)];
        if (found.Length == 0)
        {
            found = [.. threads.Where(t => t.Id == HexadecimalId).Take(1)];
        }

        problem = found.Length == 1 ? null
            : found.Length > 1 ? $"'{_text}' is the number of one thread and the id of another; give {string.Join(" or ", found.Select(t => Both(t, family)))}"
            : threads.Count == 0 ? $"there is no thread {_text} in this dump, for it lists no threads"
            : string.Create(CultureInfo.InvariantCulture,
                $"there is no thread {_text} in this dump; it has {threads.Count}, {Both(threads.First(), family)} to {Both(threads.Last(), family)}; "
                    + $"dumpanalyze threads lists them");
        return found is [var only] ? only.Id : null;
    }

    private static string Both((int Number, uint Id) thread, OperatingSystemFamily family) =>
        string.Create(CultureInfo.InvariantCulture, $"~{thread.Number} ({ThreadNames.Id(thread.Id, family)})");

    private static uint? Value(Group group, NumberStyles style) =>
        group.Success && uint.TryParse(group.ValueSpan, style, CultureInfo.InvariantCulture, out uint value) ? value : null;

    [GeneratedRegex(@"^(?:~(?<number>[0-9]{1,9})|~~\[(?<hex>[0-9a-fA-F]{1,8})\]|0[xX](?<hex>[0-9a-fA-F]{1,8})|(?<plain>[0-9]{1,10})|(?<hex>[0-9a-fA-F]{1,8}))$",
        RegexOptions.CultureInvariant)]
    private static partial Regex Forms();
}
