namespace Dump.Fetching.Missing;

/// <summary>How many files of a kind one run asks for. What it has asked for once stays among them.</summary>
/// <param name="most">The most.</param>
public sealed class RunQuota(int most)
{
    private readonly HashSet<string> _asked = new(StringComparer.Ordinal);

    /// <summary>Those of some files that the run asks for: the first ones.</summary>
    /// <param name="files">The files, those that matter most first.</param>
    /// <param name="id">What tells one file from all others.</param>
    /// <param name="leftOut">How many are left out; added to.</param>
    public IReadOnlyList<T> Take<T>(IReadOnlyList<T> files, Func<T, string> id, ref int leftOut)
    {
        T[] taken = [.. files.Where(f => _asked.Contains(id(f)) || _asked.Count < most && _asked.Add(id(f)))];
        leftOut += files.Count - taken.Length;
        return taken;
    }
}
