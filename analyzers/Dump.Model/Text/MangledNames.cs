namespace Dump.Model.Text;

/// <summary>
/// The qualified names inside of mangled C++ names, without parameters: only plain ones are taken apart,
/// which is what lets the 32-bit and the 64-bit build of a function agree.
/// </summary>
public static class MangledNames
{
    private const string Separator = "::";

    /// <summary>The qualified name, or null when the name is not mangled, or has templates or operators in it.</summary>
    public static string? Readable(string name) =>
        name.StartsWith('?') ? Microsoft(name) : name.StartsWith("_Z", StringComparison.Ordinal) ? Itanium(name) : null;

    /// <summary><c>?Push@Queue@@QEAAXH@Z</c>: the parts from the inside out, until two at signs.</summary>
    private static string? Microsoft(string name)
    {
        int end = name.IndexOf("@@", StringComparison.Ordinal);
        if (end <= 1)
        {
            return null;
        }

        // ??0 and ??1 are the constructor and the destructor of the class that follows.
        string? special = name.StartsWith("??0", StringComparison.Ordinal) ? "" : name.StartsWith("??1", StringComparison.Ordinal) ? "~" : null;
        string[] parts = name[(special is null ? 1 : Math.Min(3, end))..end].Split('@');
        if (parts.Any(p => p.Length == 0 || p.Contains('?', StringComparison.Ordinal) || char.IsAsciiDigit(p[0])))
        {
            return null;
        }

        Array.Reverse(parts);
        return string.Join(Separator, special is null ? parts : [.. parts, special + parts[^1]]);
    }

    /// <summary><c>_ZN5Queue4PushEi</c> and <c>_Z3addii</c>: parts with their lengths in front.</summary>
    private static string? Itanium(string name)
    {
        List<string> parts = [];
        int at = 2;
        bool isNested = name.AsSpan(at).StartsWith("N");
        at += isNested ? 1 : 0;
        at += isNested && name.AsSpan(at).StartsWith("K") ? 1 : 0;
        while (at < name.Length && char.IsAsciiDigit(name[at]))
        {
            int length = 0;
            while (at < name.Length && char.IsAsciiDigit(name[at]) && length < name.Length)
            {
                length = (length * 10) + (name[at++] - '0');
            }

            if (length == 0 || length > name.Length - at)
            {
                return null;
            }

            string part = name.Substring(at, length);
            parts.Add(part.StartsWith("_GLOBAL__N_", StringComparison.Ordinal) ? "(anonymous)" : part);
            at += length;
            if (!isNested)
            {
                break;
            }
        }

        // C1 to C3 are constructors, D0 to D2 destructors, of the class before them.
        if (isNested && parts.Count > 0 && at + 1 < name.Length && (name[at], name[at + 1]) is ('C', >= '1' and <= '3') or ('D', >= '0' and <= '2'))
        {
            parts.Add((name[at] == 'C' ? "" : "~") + parts[^1]);
            at += 2;
        }

        bool isPlain = parts.Count > 0 && (isNested ? at < name.Length && name[at] == 'E' : at >= name.Length || name[at] != 'I');
        return isPlain ? string.Join(Separator, parts) : null;
    }
}
