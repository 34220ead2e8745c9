using System.Text.RegularExpressions;

namespace Dump.EndToEnd.Tests.RepositoryRules;

/// <summary>What of plain English a machine can check: short sentences without semicolons, subject first, the field's words, American spelling.</summary>
internal static partial class PlainEnglish
{
    private const int MostWords = 25;

    /// <summary>What is wrong with sentences, each with the first thing.</summary>
    public static IEnumerable<string> Faults(IEnumerable<string> sentences) =>
        sentences.Select(s => (Sentence: s, Fault: Fault(s))).Where(f => f.Fault is not null).Select(f => $"{f.Fault}: {f.Sentence}");

    private static string? Fault(string sentence)
    {
        int words = sentence.Split(' ', StringSplitOptions.RemoveEmptyEntries).Length;
        return words > MostWords ? $"{words} words"
            : sentence.Contains(';', StringComparison.Ordinal) ? "a semicolon"
            : Foreign().Match(sentence) is { Success: true } phrase ? $"'{phrase.Value}'"
            : British().Match(sentence) is { Success: true } word ? $"'{word.Value}'"
            : null;
    }

    /// <summary>
    /// A sentence that begins with what it is not about, persons for threads and programs, and words that the field does not use: is (stands), continues
    /// (goes on), again (anew), live (living), resumes (lets go), without end. Verdicts' titles begin with a capital.
    /// </summary>
    [GeneratedRegex("""
        ^Of(?=\ )
        |\b(?:stands?|stood|somebody|nobody|whoever|whom|goes?\ on|anew|living|lets?\ (?:it\ |them\ )?go|without\ an\ end)\b
        |\b(?:comes?\ back|came\ back|(?:is|are)\ (?:none|told))\b
        """, RegexOptions.IgnorePatternWhitespace)]
    private static partial Regex Foreign();

    [GeneratedRegex(
        @"\b(?:\w*(?:recogn|optim|capital|normal|initial|special|organ|synchron)is(?:ed?|es|ing|ation)|analys(?:ed?|ing)|colours?|behaviours?|licences?)\b",
        RegexOptions.IgnoreCase)]
    private static partial Regex British();
}
