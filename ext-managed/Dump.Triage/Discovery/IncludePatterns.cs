using System.Collections.Immutable;
using System.Text;
using System.Text.RegularExpressions;

namespace Dump.Triage.Discovery;

/// <summary>
/// Patterns for paths: <c>*</c> stands for anything within a name, <c>?</c> for one character, <c>**/</c> for any folders. A pattern without <c>/</c> is for
/// the name alone. Small and large letters are the same.
/// </summary>
internal sealed class IncludePatterns
{
    private readonly ImmutableArray<Regex> _patterns;

    /// <summary>Reads patterns; none match everything.</summary>
    public IncludePatterns(IEnumerable<string> patterns) => _patterns = [.. patterns.Select(Expression)];

    /// <summary>True when a path, with <c>/</c> between its parts, matches one of them.</summary>
    public bool Match(string path) => _patterns.IsEmpty || _patterns.Any(p => p.IsMatch(path));

    private static Regex Expression(string pattern)
    {
        StringBuilder expression = new("^");
        if (!pattern.Contains('/', StringComparison.Ordinal))
        {
            expression.Append("(.*/)?");
        }

        for (int i = 0; i < pattern.Length; i++)
        {
            if (string.CompareOrdinal(pattern, i, "**/", 0, 3) == 0)
            {
                expression.Append("(.*/)?");
                i += 2;
            }
            else if (string.CompareOrdinal(pattern, i, "**", 0, 2) == 0)
            {
                expression.Append(".*");
                i++;
            }
            else
            {
                expression.Append(pattern[i] switch { '*' => "[^/]*", '?' => "[^/]", var c => Regex.Escape(c.ToString()) });
            }
        }

        return new Regex(expression.Append('$').ToString(),
            RegexOptions.NonBacktracking | RegexOptions.IgnoreCase | RegexOptions.CultureInvariant | RegexOptions.Singleline);
    }
}
