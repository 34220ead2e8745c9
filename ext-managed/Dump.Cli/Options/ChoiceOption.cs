using System.CommandLine;

namespace Dump.Cli.Options;

/// <summary>Options that take one of a few words, in any case. Numbers and lists, which enumerations would accept, are refused.</summary>
internal static class ChoiceOption
{
    /// <summary>Makes an option whose words are the names of an enumeration.</summary>
    /// <param name="name">The option, with its dashes.</param>
    /// <param name="description">Its help.</param>
    /// <param name="words">The words in the order in which help shows them.</param>
    public static Option<T?> Create<T>(string name, string description, params string[] words)
        where T : struct, Enum
    {
        Option<T?> option = new(name)
        {
            Description = description,
            HelpName = string.Join('|', words),
            CustomParser = OptionValue.Of<T?>(
                text => words.Contains(text, StringComparer.OrdinalIgnoreCase) ? Enum.Parse<T>(text, ignoreCase: true) : null,
                $"value of {name}",
                $"{string.Join(", ", words[..^1])} or {words[^1]}"),
        };
        option.CompletionSources.Clear();
        option.CompletionSources.Add(words);
        return option;
    }
}
