using System.Text.RegularExpressions;
using Dump.Model.Text;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Frames;

/// <summary>Names managed types.</summary>
internal static partial class TypeNames
{
    private const int LongestName = 512;

    /// <summary>The full name of a type, or null when the metadata that has it is not in the dump.</summary>
    public static string? Of(ClrType? type) =>
        type?.Name is { Length: > 0 } name && !name.StartsWith("<Unloaded", StringComparison.Ordinal) && !name.StartsWith("{error", StringComparison.Ordinal)
            ? SafeText.Clean(name, LongestName)
            : null;

    /// <summary>The name of an object's type; a type that is locked itself is named as <c>typeof(T)</c>.</summary>
    public static string? OfObject(ClrObject target) =>
        target is { IsRuntimeType: true } && target.AsRuntimeType() is { } type && Of(type) is { } name ? $"typeof({name})" : Of(target.Type);

    /// <summary>The name without namespaces, for types that everybody knows: <c>BlockingCollection&lt;Int32&gt;</c>.</summary>
    public static string? Short(ClrType? type) => Of(type) is { } name ? Short(name) : null;

    /// <summary>A full name without namespaces.</summary>
    public static string Short(string name) => Namespace().Replace(name, "");

    [GeneratedRegex(@"[\w]+\.", RegexOptions.CultureInvariant, 60_000)]
    private static partial Regex Namespace();
}
