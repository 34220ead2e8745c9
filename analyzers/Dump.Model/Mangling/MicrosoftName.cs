namespace Dump.Model.Mangling;

/// <summary>Plain C++ names of Microsoft's scheme: <c>?Push@Queue@@QEAAXH@Z</c>, the parts from the inside out, until two at signs.</summary>
internal static class MicrosoftName
{
    private const string Separator = "::";

    /// <summary>The qualified name, or null where it has templates or operators in it.</summary>
    public static string? Readable(string name)
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
}
