using System.CommandLine;
using System.CommandLine.Parsing;
using Dump.Fetching.Notices;
using Dump.Model.Text;

namespace Dump.Cli.Options;

/// <summary>The two options that say where a watch tells of what is new.</summary>
internal static class NoticeOptions
{
    /// <summary>A server.</summary>
    /// <param name="description">When it is asked, and for what.</param>
    public static Option<Uri?> Url(string description) => new("--notify-url")
    {
        Description = description,
        HelpName = "URL",
        CustomParser = Address,
    };

    /// <summary>Reads an address that can be asked.</summary>
    public static Func<ArgumentResult, Uri?> Address { get; } = OptionValue.Of(
        text => Uri.TryCreate(text, UriKind.Absolute, out Uri? address) && Webhook.IsOne(address) ? address : null, "address", "an http or https address");

    /// <summary>A program.</summary>
    /// <param name="description">When it is started, and for what.</param>
    public static Option<string?> Program(string description)
    {
        Option<string?> option = new("--notify-command") { Description = description, HelpName = "PROGRAM" };
        option.Validators.Add(result =>
        {
            if (result.GetValueOrDefault<string?>() is { } path && Missing(path) is { } problem)
            {
                result.AddError($"--notify-command{problem}");
            }
        });
        return option;
    }

    /// <summary>What is wrong with the path of a program, as the rest of a sentence that begins with the option; null when it is there.</summary>
    public static string? Missing(string path) => File.Exists(path) ? null
        : path.Length == 0 ? ": the name is empty; give a program."
        : $" {SafeText.Clean(path)}: there is no such file; give the path of a program, and its options in a script.";

    /// <summary>Only one of both can be given.</summary>
    public static void Check(CommandResult command, Option<Uri?> url, Option<string?> program)
    {
        if (command.GetResult(url) is { Implicit: false } && command.GetResult(program) is { Implicit: false })
        {
            command.AddError("use either --notify-url or --notify-command, not both.");
        }
    }
}
