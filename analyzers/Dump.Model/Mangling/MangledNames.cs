using System.Text;
using Dump.Model.Text;

namespace Dump.Model.Mangling;

/// <summary>
/// What stands in names as linkers know them: the qualified name of a function without its parameters and what it returns. Of C++ those of the Itanium scheme
/// (GCC, Clang) and plain ones of Microsoft's, of Rust both schemes.
/// </summary>
public static class MangledNames
{
    /// <summary>
    /// Longest list of template arguments or of parameters inside of a name, in characters; a longer one is <c>&lt;...&gt;</c> or <c>(...)</c>.
    /// </summary>
    public const int LongestList = 80;

    /// <summary>Longest mangled name that is taken apart, in characters.</summary>
    private const int LongestMangled = 4_096;

    /// <summary>
    /// The qualified name, as <c>c++filt -p -i</c> prints it but for long lists, or null when the name is not mangled, or not by these schemes. Takes bounded
    /// time and throws for no text; the result is clean. A name with characters outside of ASCII is not taken apart: the lengths in it count bytes.
    /// </summary>
    /// <param name="name">The name of a function in a symbol table.</param>
    /// <param name="longestList">Longest list in characters, counted after the lists inside of it have been shortened; at least 3.</param>
    public static string? Readable(string name, int longestList = LongestList)
    {
        if (name.Length > LongestMangled || name.Length < 3 || name[0] is not ('_' or '?') || !Ascii.IsValid(name))
        {
            return null;
        }

        MangledText text = new(longestList);
        string? readable = name[0] == '?' ? MicrosoftName.Readable(name)
            : name.StartsWith("_R", StringComparison.Ordinal) ? RustName.Readable(name, text)
            : name.StartsWith("_ZN", StringComparison.Ordinal) && RustLegacyName.Readable(name) is { } rust ? rust
            : name.StartsWith("_Z", StringComparison.Ordinal) && ItaniumReader.Function(name) is { } function ? text.Of(function)
            : null;
        return string.IsNullOrEmpty(readable) ? null : SafeText.Clean(readable, longestList == LongestList ? 1_024 : int.MaxValue);
    }
}
