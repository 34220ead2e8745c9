using System.Collections.Immutable;

namespace Dump.Analysis.Rules.Tags;

/// <summary>A tag with the functions that it stands for.</summary>
/// <param name="Name">Names of the tag and those that it is nested in, outermost first, with <c>\</c> between them.</param>
/// <param name="Priority">Where several tags fit, the greatest counts.</param>
/// <param name="Hint">Whether a neighbour of the matched frame gets the tag too.</param>
/// <param name="OnlyShowModule">For a hint: true to name the neighbour's module only, false to name its function too.</param>
/// <param name="Entrypoints">Patterns of module and function, each with <c>*</c> for any characters and <c>?</c> for one.</param>
internal sealed record StackTag(string Name, int Priority, StackTagHint Hint, bool OnlyShowModule, ImmutableArray<(string Module, string Method)> Entrypoints)
{
    /// <summary>True when the tag stands for a function.</summary>
    /// <param name="module">File name of the module.</param>
    /// <param name="function">Its name, or null when it is unknown: only a pattern for all functions fits then.</param>
    public bool Fits(string module, string? function) => Entrypoints.Any(e => Wildcard.Fits(e.Module, module) && FitsMethod(e.Method, function));

    /// <summary>Performance tools write <c>Type::Method</c> for managed methods too.</summary>
    private static bool FitsMethod(string pattern, string? function)
    {
        if (function is null)
        {
            return pattern.Length > 0 && pattern.All(c => c == '*');
        }

        int dot = function.LastIndexOf('.');
        return Wildcard.Fits(pattern, function)
            || (dot > 0 && pattern.Contains("::", StringComparison.Ordinal)
                && Wildcard.Fits(pattern, string.Concat(function.AsSpan(0, dot), "::", function.AsSpan(dot + 1))));
    }
}
