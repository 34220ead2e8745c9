namespace Dump.Readers.Unwinding.Dwarf;

/// <summary>
/// Call-frame information for debuggers (<c>.debug_frame</c>), which is all there is where code was compiled without tables for exceptions
/// (<c>-fno-asynchronous-unwind-tables -g</c>). No table leads into it: its entries are listed once. Safe for concurrent use.
/// </summary>
internal sealed class DebugFrames
{
    private const int MostEntries = 4_000_000;
    private const long NanosecondsOfEntry = 500;

    // In lists that grow, and what sorting takes.
    private const long BytesOfEntry = 24 * 5;
    private readonly byte[] _section;
    private readonly ulong _bias;
    private readonly (ulong Begin, ulong End, int Entry)[] _entries;

    private DebugFrames(byte[] section, ulong bias, (ulong Begin, ulong End, int Entry)[] entries) => (_section, _bias, _entries) = (section, bias, entries);

    /// <summary>Number of functions that are described.</summary>
    public int Count => _entries.Length;

    /// <summary>Lists the entries of a section; one that is not sound ends the list.</summary>
    /// <param name="section">The section.</param>
    /// <param name="bias">What is added to an address of the file to have that of the process.</param>
    public static DebugFrames Read(byte[] section, ulong bias)
    {
        List<(ulong Begin, ulong End, int Entry)> entries = [];
        for (int at = 0; entries.Count < MostEntries && DebugFrameEntry.Read(section, at) is { } entry; at = entry.Next)
        {
            // Code that the linker left out is at 0.
            if (entry.Common is not null && entry is { Begin: > 0, Size: > 0 })
            {
                if (!WorkBudget.Take(NanosecondsOfEntry) || !WorkBudget.Hold(BytesOfEntry))
                {
                    break;
                }

                entries.Add((unchecked(bias + entry.Begin), unchecked(bias + entry.Begin + entry.Size), at));
            }
        }

        return new DebugFrames(section, bias, [.. entries.OrderBy(e => e.Begin)]);
    }

    /// <summary>How to unwind a frame of the function that contains an address; null when no entry does.</summary>
    public FrameDescription? Find(ulong address)
    {
        int before = SortedSearch.CountUpTo<(ulong Begin, ulong End, int Entry)>(_entries, address, e => e.Begin);
        return before > 0 && address < _entries[before - 1].End ? DebugFrameEntry.Description(_section, _entries[before - 1].Entry, _bias) : null;
    }
}
