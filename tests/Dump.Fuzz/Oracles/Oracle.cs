using System.Globalization;
using System.Text.Json;

namespace Dump.Fuzz.Oracles;

/// <summary>What must hold for any input.</summary>
internal static class Oracle
{
    /// <summary>Processor time that one input may take.</summary>
    public static readonly TimeSpan MostTime = TimeSpan.FromSeconds(20);

    private const int LongestMessage = 20_000;

    /// <summary>Fails when a condition does not hold.</summary>
    public static void Holds(bool condition, string what)
    {
        if (!condition)
        {
            throw new OracleException(what);
        }
    }

    /// <summary>Fails when a text has characters that steer a terminal or change the order of what is read.</summary>
    public static void IsHarmless(string? text)
    {
        foreach (char character in text ?? "")
        {
            if (IsHarmful(character))
            {
                throw new OracleException($"the output has the character U+{(int)character:X4}");
            }
        }
    }

    /// <summary>Fails when a text is not one line that people can read.</summary>
    public static string IsSentence(string message)
    {
        IsHarmless(message);
        Holds(!message.Contains('\n', StringComparison.Ordinal), $"the message has several lines: {message}");
        Holds(message.Length is > 0 and < LongestMessage, $"the message has {message.Length} characters");
        return message;
    }

    /// <summary>Fails when what was written is not one JSON document.</summary>
    public static void IsJson(MeasuredOutput output)
    {
        try
        {
            Utf8JsonReader reader = new(output.Written, new JsonReaderOptions { MaxDepth = 128 });
            while (reader.Read())
            {
            }
        }
        catch (JsonException error)
        {
            throw new OracleException($"the output is not JSON: {error.Message}");
        }
    }

    private static bool IsHarmful(char character) =>
        character is not ('\r' or '\n') && char.GetUnicodeCategory(character) is UnicodeCategory.Control or UnicodeCategory.Format;
}
