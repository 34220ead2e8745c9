using System.Globalization;

namespace Dump.Model.Text;

/// <summary>Counts in words.</summary>
public static class CountText
{
    /// <summary>A count with its noun, for example <c>1 thread</c> or <c>3000 threads</c>.</summary>
    /// <param name="count">How many; 0 or more.</param>
    /// <param name="noun">One of them; its plural must end in s.</param>
    public static string Of(long count, string noun) => string.Create(CultureInfo.InvariantCulture, $"{count} {Noun(count, noun)}");

    /// <summary>The same with separators between thousands, for example <c>3,000 threads</c>.</summary>
    /// <param name="count">How many; 0 or more.</param>
    /// <param name="noun">One of them; its plural must end in s.</param>
    public static string Grouped(long count, string noun) => string.Create(CultureInfo.InvariantCulture, $"{count:N0} {Noun(count, noun)}");

    private static string Noun(long count, string noun) => count == 1 ? noun : noun + "s";
}
