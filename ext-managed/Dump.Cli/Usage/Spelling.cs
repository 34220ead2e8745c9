namespace Dump.Cli.Usage;

/// <summary>Finds the word that somebody probably meant.</summary>
internal static class Spelling
{
    private const int ShortWord = 4;
    private const int LeastBeginning = 3;

    /// <summary>The candidate that a word was probably meant to be: a slip of the hand or two away from it, or begun like it; null when there is none.</summary>
    /// <param name="word">What was typed; case does not count.</param>
    /// <param name="candidates">What there is; of equally near ones the first is taken.</param>
    public static string? Nearest(string word, IEnumerable<string> candidates)
    {
        string typed = word.ToLowerInvariant();
        // A name of one letter is one slip away from every other.
        int most = Math.Min(typed.Length - 1, typed.Length <= ShortWord ? 1 : 2);
        return candidates
            .Select(c => (Candidate: c, Distance: Distance(typed, c, most)))
            .Where(c => c.Distance <= most)
            .OrderBy(c => c.Distance)
            .Select(c => c.Candidate)
            .FirstOrDefault();
    }

    private static int Distance(string typed, string candidate, int most)
    {
        string known = candidate.ToLowerInvariant();
        bool isBegun = typed.Length >= LeastBeginning && known.StartsWith(typed, StringComparison.Ordinal);
        return isBegun ? Math.Min(most, known.Length - typed.Length)
            : Math.Abs(typed.Length - known.Length) > most ? int.MaxValue
            : Edits(typed, known);
    }

    /// <summary>
    /// Letters to insert, remove, replace, or to exchange with their neighbour, that lead from one word to the other: the distance of optimal string alignment.
    /// </summary>
    private static int Edits(string one, string other)
    {
        int[] before = new int[other.Length + 1], last = [.. Enumerable.Range(0, other.Length + 1)];
        for (int i = 1; i <= one.Length; i++)
        {
            int[] row = new int[other.Length + 1];
            row[0] = i;
            for (int j = 1; j <= other.Length; j++)
            {
                int replaced = last[j - 1] + (one[i - 1] == other[j - 1] ? 0 : 1);
                row[j] = Math.Min(replaced, Math.Min(last[j], row[j - 1]) + 1);
                if (i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1])
                {
                    row[j] = Math.Min(row[j], before[j - 2] + 1);
                }
            }

            (before, last) = (last, row);
        }

        return last[other.Length];
    }
}
