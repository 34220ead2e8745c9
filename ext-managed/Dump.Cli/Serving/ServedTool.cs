using System.Collections.Immutable;

namespace Dump.Cli.Serving;

/// <summary>A question that the server answers by a command of this program.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Title">Its name for people.</param>
/// <param name="Description">What it answers, for the model that chooses it.</param>
/// <param name="Parameters">What it takes.</param>
/// <param name="CommandLine">Makes the command line of what was given, with the files of it found below the served folders.</param>
internal sealed record ServedTool(
    string Name, string Title, string Description, ImmutableArray<ToolParameter> Parameters,
    Func<ToolArguments, ServedFolders, IEnumerable<string>> CommandLine)
{
    /// <summary>True when its exit code is that of a verdict.</summary>
    public bool Judges { get; init; }
}
