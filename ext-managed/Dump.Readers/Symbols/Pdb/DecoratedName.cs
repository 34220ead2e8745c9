namespace Dump.Readers.Symbols.Pdb;

/// <summary>
/// C++ names as Microsoft's compiler decorates them: <c>?name@inner@outer@@</c>, then an encoding of the type. Only names made of plain identifiers are
/// simplified; operators, templates, anonymous namespaces and references to earlier parts keep their decoration. C names on x64 have none; on x86 those of
/// functions that take their arguments off the stack are <c>_name@bytes</c> and <c>@name@bytes</c>.
/// </summary>
internal static class DecoratedName
{
    /// <summary>The name as <c>outer::inner::name</c> where that is certain, else unchanged.</summary>
    public static string Simplify(string name)
    {
        if (name.Length > 2 && name[0] is '_' or '@' && name.LastIndexOf('@') is var bytes and > 1
            && bytes + 1 < name.Length && name.AsSpan(bytes + 1).IndexOfAnyExceptInRange('0', '9') < 0 && IsIdentifier(name[1..bytes]))
        {
            return name[1..bytes];
        }

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
