using Dump.Capture.Windows.Processes;

namespace Dump.Capture.Tests.Windows;

/// <summary>Command lines of Windows, taken apart as programs do; the lines with backslashes are those of Microsoft's page.</summary>
public sealed class CommandLineWordsTests
{
    [Theory]
    [InlineData("", "")]
    [InlineData("  \t ", "")]
    [InlineData("dotnet shop.dll  --port 80", "dotnet|shop.dll|--port|80")]
    [InlineData("\"C:\\Program Files\\dotnet\\dotnet.exe\" \"C:\\my apps\\shop.dll\"", "C:\\Program Files\\dotnet\\dotnet.exe|C:\\my apps\\shop.dll")]
    [InlineData("\"abc\" d e", "abc|d|e")]
    [InlineData("a\\\\\\b d\"e f\"g h", "a\\\\\\b|de fg|h")]
    [InlineData("a\\\\\\\"b c d", "a\\\"b|c|d")]
    [InlineData("a\\\\\\\\\"b c\" d e", "a\\\\b c|d|e")]
    [InlineData("\"never closed", "never closed")]
    public void Words_are_those_that_a_program_gets(string line, string expected) => Assert.Equal(expected, string.Join('|', CommandLineWords.Of(line)));

    [Fact]
    public void Line_of_very_many_words_is_cut() => Assert.Equal(1000, CommandLineWords.Of(string.Join(' ', Enumerable.Repeat("a", 5000))).Count);
}
