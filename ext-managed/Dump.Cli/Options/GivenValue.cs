using System.CommandLine;
using System.CommandLine.Parsing;

namespace Dump.Cli.Options;

/// <summary>Values of options: for the checks of a whole command line, which are made although single values may be wrong, and for that of another one.</summary>
internal static class GivenValue
{
    /// <summary>The value of an option; the default where none is given, or a wrong one, which has an error of its own.</summary>
    public static T? Of<T>(CommandResult command, Option<T> option) => Try(() => command.GetValue(option));

    /// <summary>The value of an argument; the default where none is given, or a wrong one, which has an error of its own.</summary>
    public static T? Of<T>(CommandResult command, Argument<T> argument) => Try(() => command.GetValue(argument));

    /// <summary>An option and its value as words of a command line; none where none is given.</summary>
    public static string[] Words(Option option, string? value) => value is null ? [] : [option.Name, value];

    private static T? Try<T>(Func<T?> read)
    {
        try
        {
            return read();
        }
        catch (InvalidOperationException)
        {
            // The library has no other way to ask: Errors are filled by reading.
            return default;
        }
    }
}
