using System.CommandLine.Parsing;
using System.Globalization;

namespace Dump.Cli.Options;

/// <summary>
/// Readers of values as people type them. What cannot be read is an error of the command line: what the value is not, and what to give instead.
/// </summary>
internal static class OptionValue
{
    private const long Mebi = 1L << 20;
    private const long Gibi = 1L << 30;

    /// <summary>Reads values of any type.</summary>
    /// <param name="read">Reads a value; null when it is none.</param>
    /// <param name="what">What the value should be, for example <c>thread id</c>.</param>
    /// <param name="give">What to give, for example <c>a number such as 420</c>.</param>
    public static Func<ArgumentResult, T?> Of<T>(Func<string, T?> read, string what, string give) => argument =>
    {
        string text = argument.Tokens[0].Value;
        T? value = read(text);
        if (value is null)
        {
            argument.AddError($"'{text}' is not a valid {what}; give {give}.");
        }

        return value;
    };

    /// <summary>Whole numbers, decimal and without a sign.</summary>
    public static Func<ArgumentResult, int?> Whole(int least, int most, string what, string? give = null) => Of<int?>(
        text => int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int value) && value >= least && value <= most ? value : null,
        what,
        give ?? string.Create(CultureInfo.InvariantCulture, $"{least} to {most}"));

    /// <summary>Times: a number with its unit, such as <c>500ms</c>, <c>1.5s</c>, <c>2min</c>, <c>1h</c>.</summary>
    public static Func<ArgumentResult, TimeSpan?> Time(TimeSpan shortest, TimeSpan longest, string what, string give) => Of<TimeSpan?>(
        text => ReadTime(text, shortest, longest), what, give);

    /// <summary>Reads a time; null when it is none within the limits.</summary>
    public static TimeSpan? ReadTime(string text, TimeSpan shortest, TimeSpan longest) =>
        Number(text, ("ms", 0.001), ("min", 60), ("s", 1), ("h", 3600)) is { } seconds && seconds >= shortest.TotalSeconds
            && seconds <= longest.TotalSeconds ? TimeSpan.FromSeconds(seconds) : null;

    /// <summary>Sizes in bytes: a number with its unit, such as <c>512MiB</c>, <c>1.5GiB</c> or <c>2G</c>; all units are powers of 1,024.</summary>
    public static Func<ArgumentResult, long?> Size(long least, long most, string what, string give) => Of<long?>(
        text => Number(text.ToUpperInvariant(), ("MIB", Mebi), ("GIB", Gibi), ("MB", Mebi), ("GB", Gibi), ("M", Mebi), ("G", Gibi)) is { } bytes
            && bytes >= least && bytes <= most ? (long)bytes : null,
        what,
        give);

    /// <summary>Addresses as people type and debuggers print them: hexadecimal digits, with or without <c>0x</c>.</summary>
    public static Func<ArgumentResult, ulong?> Address { get; } = Of<ulong?>(
        // Debuggers print 64-bit addresses with a grave accent in the middle.
        text => ulong.TryParse(WithoutPrefix(text).Replace("`", "", StringComparison.Ordinal), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture,
            out ulong address) ? address : null,
        "address",
        "hexadecimal digits such as 7fd8f980c378 or 0x7fd8f980c378");

    /// <summary>Threads, by number or system id.</summary>
    public static Func<ArgumentResult, ThreadReference?> Thread { get; } = Of(
        ThreadReference.Parse, "thread", "one as reports print it, such as 1, 0x1a4 or 4711");

    private static double? Number(string text, params ReadOnlySpan<(string Unit, double Worth)> units)
    {
        foreach ((string unit, double worth) in units)
        {
            if (text.EndsWith(unit, StringComparison.Ordinal))
            {
                return double.TryParse(text.AsSpan(0, text.Length - unit.Length), NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture,
                    out double number) ? number * worth : null;
            }
        }

        return null;
    }

    private static bool HasPrefix(string text) => text.StartsWith("0x", StringComparison.OrdinalIgnoreCase);

    private static string WithoutPrefix(string text) => HasPrefix(text) ? text[2..] : text;
}
