using System.CommandLine;

namespace Dump.Cli.Options;

/// <summary>An option that names a file to write.</summary>
internal static class OutputOption
{
    /// <summary>Makes one, which refuses an empty name and that of a folder.</summary>
    /// <param name="name">Name of the option, with its hyphens.</param>
    /// <param name="description">What is written there.</param>
    public static Option<string?> Create(string name, string description)
    {
        Option<string?> option = new(name) { Description = description, HelpName = "FILE" };
        option.Validators.Add(result =>
        {
            if (result.GetValueOrDefault<string?>() is { } path && (path.Length == 0 || Directory.Exists(path)))
            {
                result.AddError(path.Length == 0 ? $"{name}: the name is empty; give a file." : $"{name} {path}: this is a folder; name a file.");
            }
        });
        return option;
    }
}
