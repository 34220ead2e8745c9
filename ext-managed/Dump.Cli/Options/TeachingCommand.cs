using System.CommandLine;

namespace Dump.Cli.Options;

/// <summary>A command with one line for the list of commands and more for its own help.</summary>
/// <param name="name">Its name.</param>
/// <param name="summary">One line.</param>
/// <param name="lesson">What its help says: purpose, examples, exit codes.</param>
internal sealed class TeachingCommand(string name, string summary, string lesson) : Command(name, summary)
{
    /// <summary>What its help says.</summary>
    public string Lesson { get; } = lesson;

    /// <summary>Makes the help of the command say all; called when the command itself was given.</summary>
    public void Teach() => Description = Lesson;
}
