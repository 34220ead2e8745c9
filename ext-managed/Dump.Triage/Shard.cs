using System.Diagnostics.CodeAnalysis;
using System.Globalization;

namespace Dump.Triage;

/// <summary>
/// One of several runs that share the dumps of a folder. Which dump falls to which depends on its content alone, so that copies fall to the same.
/// </summary>
/// <param name="Index">Which one, 1 to <paramref name="Count"/>.</param>
/// <param name="Count">How many there are, 1 to <see cref="Most"/>.</param>
public sealed record Shard(int Index, int Count)
{
    /// <summary>Most runs that can share a folder.</summary>
    public const int Most = 100_000;

    // The first 32 bits of the identity, which is a hash: evenly spread.
    private const int HashDigits = 8;

    /// <summary>The run as a part of file names.</summary>
    public string FileNamePart => string.Create(CultureInfo.InvariantCulture, $"{Index}-of-{Count}");

    /// <summary>The run for people.</summary>
    public string Text => string.Create(CultureInfo.InvariantCulture, $"{Index}/{Count}");

    /// <summary>Reads <c>i/n</c>.</summary>
    /// <param name="text">The text.</param>
    /// <param name="shard">The run, or null when the text is none.</param>
    /// <param name="first">What the first run is called: 1, or 0 as schedulers count.</param>
    public static bool TryParse(string text, [NotNullWhen(true)] out Shard? shard, int first = 1)
    {
        shard = text.Split('/') is [var index, var count]
            && int.TryParse(index, NumberStyles.None, CultureInfo.InvariantCulture, out int i)
            && int.TryParse(count, NumberStyles.None, CultureInfo.InvariantCulture, out int n)
            && i >= first && i - first < n && n <= Most ? new Shard(i - first + 1, n) : null;
        return shard is not null;
    }

    /// <summary>True when a dump falls to this run.</summary>
    /// <param name="identity">Identity of its content.</param>
    public bool Holds(string identity) =>
        uint.Parse(identity.AsSpan(0, HashDigits), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture) % (uint)Count == (uint)(Index - 1);
}
