namespace Dump.Readers.Symbols.Pdb;

/// <summary>
/// C++ names as Microsoft's compiler decorates them: <c>?name@inner@outer@@</c>, then an encoding of the type. Only names made of plain identifiers are
/// simplified; operators, templates, anonymous namespaces and references to earlier parts keep their decoration. C names on x64 have none.
/// </summary>
internal static class DecoratedName
{
    /// <summary>The name as <c>outer::inner::name</c> where that is certain, else unchanged.</summary>
    public static string Simplify(string name)
    {
        int end = name.IndexOf("@@", StringComparison.Ordinal);
        if (!name.StartsWith('?') || end < 0 || end + 2 == name.Length)
        {
            return name;
        }

        string[] parts = name[1..end].Split('@');
        if (!parts.All(IsIdentifier))
        {
            return name;
        }

        Array.Reverse(parts);
        return string.Join("::", parts);
    }

    private static bool IsIdentifier(string part) =>
        part.Length > 0 && !char.IsAsciiDigit(part[0]) && part.All(c => char.IsAsciiLetterOrDigit(c) || c == '_');
}
