using System.CommandLine;
using System.CommandLine.Parsing;
using Dump.Cli.Options;

namespace Dump.EndToEnd.Tests.CommandLine;

/// <summary>Values on the command line: what is read, and what is refused with the words that say what to give.</summary>
public sealed class OptionValueTests
{
    [Theory]
    [InlineData("100ms", 0.1)]
    [InlineData("1.5s", 1.5)]
    [InlineData("2min", 120.0)]
    [InlineData("1h", 3600.0)]
    [InlineData("3601s", null)]
    [InlineData("99ms", null)]
    [InlineData("5", null)]
    [InlineData("s", null)]
    [InlineData("1d", null)]
    [InlineData("-1s", null)]
    [InlineData("1 min", null)]
    [InlineData("1e1s", null)]
    [InlineData("1S", null)]
    public void Times_need_a_unit_and_have_limits(string text, double? seconds) => Check(
        OptionValue.Time(TimeSpan.FromSeconds(0.1), TimeSpan.FromHours(1), "interval", "a time such as 2s"), text,
        seconds is { } number ? TimeSpan.FromSeconds(number) : null, $"'{text}' is not a valid interval; give a time such as 2s.");

    [Theory]
    [InlineData("256MiB", 256L << 20)]
    [InlineData("1.5GiB", 3L << 29)]
    [InlineData("1024GiB", 1L << 40)]
    [InlineData("1025GiB", null)]
    [InlineData("255MiB", null)]
    [InlineData("1GB", 1L << 30)]
    [InlineData("1gib", 1L << 30)]
    [InlineData("2G", 2L << 30)]
    [InlineData("512M", 512L << 20)]
    [InlineData("512m", 512L << 20)]
    [InlineData("512MB", 512L << 20)]
    [InlineData("1T", null)]
    [InlineData("2147483648", null)]
    [InlineData("G", null)]
    [InlineData("GiB", null)]
    [InlineData("-1GiB", null)]
    public void Sizes_need_a_unit_and_have_limits(string text, long? bytes) => Check(
        OptionValue.Size(256L << 20, 1L << 40, "memory limit", "a size such as 4GiB"), text, bytes,
        $"'{text}' is not a valid memory limit; give a size such as 4GiB.");

    [Theory]
    [InlineData("2", 2)]
    [InlineData("1000", 1000)]
    [InlineData("1", null)]
    [InlineData("1001", null)]
    [InlineData("+3", null)]
    [InlineData("3.0", null)]
    [InlineData("99999999999", null)]
    public void Counts_are_decimal_and_have_limits(string text, int? count) =>
        Check(OptionValue.Whole(2, 1000, "number of samples"), text, count, $"'{text}' is not a valid number of samples; give 2 to 1000.");

    [Theory]
    [InlineData("7fd8f980c378", 0x7fd8f980c378L)]
    [InlineData("0X7fd8`f980c378", 0x7fd8f980c378L)]
    [InlineData("10", 0x10L)]
    [InlineData("0x", null)]
    [InlineData("xyz", null)]
    public void Addresses_are_hexadecimal(string text, long? address) =>
        Check(OptionValue.Address, text, (ulong?)address, $"'{text}' is not a valid address; give hexadecimal digits such as 7fd8f980c378 or 0x7fd8f980c378.");

    private static void Check<T>(Func<ArgumentResult, T?> parser, string text, T? expected, string error)
        where T : struct
    {
        Option<T?> option = new("--value") { CustomParser = parser };
        RootCommand command = new() { option };
        ParseResult parsed = command.Parse([$"--value={text}"]);
        if (expected is null)
        {
            Assert.Equal([error], parsed.Errors.Select(e => e.Message).Distinct());
        }
        else
        {
            Assert.Empty(parsed.Errors);
            Assert.Equal(expected, parsed.GetValue(option));
        }
    }
}
