using System.Globalization;

namespace Dump.Analysis.Rules.Issues;

/// <summary>Versions of a module.</summary>
/// <param name="Module">Its name as signatures have it: lower case, without extension.</param>
/// <param name="From">First version that has the issue, or null for all earlier ones.</param>
/// <param name="Before">First version that does not have it any more, or null for all later ones.</param>
public sealed record KnownIssueVersions(string Module, string? From, string? Before)
{
    private const int MostParts = 4;

    /// <summary>True when a version is known to be one of these.</summary>
    /// <param name="version">File version such as <c>9.0.325.11113</c>, or null when unknown.</param>
    public bool Contains(string? version) => Parse(version) is { } parts
        && (Parse(From) is not { } from || Compare(parts, from) >= 0)
        && (Parse(Before) is not { } before || Compare(parts, before) < 0);

    /// <summary>The numbers of a version, or null when it is none.</summary>
    internal static int[]? Parse(string? version)
    {
        string[] parts = version?.Split(' ')[0].Split('.', ',') ?? [];
        int[] numbers = new int[MostParts];
        for (int i = 0; i < parts.Length; i++)
        {
            if (i == MostParts || !int.TryParse(parts[i], NumberStyles.None, CultureInfo.InvariantCulture, out numbers[i]))
            {
                return null;
            }
        }

        return parts.Length == 0 ? null : numbers;
    }

    private static int Compare(int[] version, int[] other)
    {
        int i = 0;
        while (i < MostParts - 1 && version[i] == other[i])
        {
            i++;
        }

        return version[i].CompareTo(other[i]);
    }
}
