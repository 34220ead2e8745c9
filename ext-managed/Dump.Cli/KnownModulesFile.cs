using System.Diagnostics.CodeAnalysis;
using Dump.Analysis.Knowledge;

namespace Dump.Cli;

/// <summary>Reads the user's list of libraries that get into other people's processes.</summary>
internal static class KnownModulesFile
{
    /// <summary>Reads it, as an addition to the built-in list.</summary>
    /// <param name="path">The file.</param>
    /// <param name="modules">Both lists together; null when the result is false.</param>
    /// <param name="problem">What is wrong, without a full stop; null when the result is true.</param>
    public static bool TryRead(string path, [NotNullWhen(true)] out KnownModules? modules, [NotNullWhen(false)] out string? problem) =>
        RuleFile.TryRead(path, KnownModules.Default.With, out modules, out problem);
}
