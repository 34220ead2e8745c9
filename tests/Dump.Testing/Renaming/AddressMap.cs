using Dump.Model.Process;

namespace Dump.Testing.Renaming;

/// <summary>
/// New places for modules and stacks, everything else moved by one distance. Two addresses of one module or stack keep their distance, and different addresses
/// stay different; what is below 64 KiB is no address on any system that is read.
/// </summary>
public sealed class AddressMap
{
    private const ulong Granularity = 0x1_0000;
    private const ulong FirstModule = 0x0ABC_0000_0000;
    private const ulong FirstStack = 0x0BCD_0000_0000;
    private const ulong Remainder = 0x1000_0000_0000;
    private readonly List<Piece> _pieces = [];
    private readonly ulong _distance;

    private AddressMap(ulong distance) => _distance = distance;

    /// <summary>The map that moves nothing.</summary>
    public static AddressMap None { get; } = new(0);

    /// <summary>A map for all modules and stacks of snapshots.</summary>
    /// <param name="snapshots">The snapshots; a module of the first stays the same module in the next.</param>
    /// <param name="random">Decides where everything goes.</param>
    /// <param name="keepsOrder">True to keep modules in the order of their addresses, and stacks in that of theirs.</param>
    public static AddressMap Of(IReadOnlyList<ProcessSnapshot> snapshots, Random random, bool keepsOrder)
    {
        AddressMap map = new(Remainder + ((ulong)random.Next(1, 0x1000) * Granularity));
        map.Place(snapshots.SelectMany(s => s.Modules).Select(m => (m.BaseAddress, m.BaseAddress + m.Size)), FirstModule, random, keepsOrder);
        map.Place(snapshots.SelectMany(s => s.Threads).Select(StackOf), FirstStack, random, keepsOrder);
        return map;
    }

    /// <summary>The new address.</summary>
    public ulong this[ulong address] =>
        _distance == 0 || address < Granularity ? address
        : _pieces.FirstOrDefault(p => address >= p.Start && address < p.End) is { } piece ? piece.NewStart + (address - piece.Start)
        : unchecked(address + _distance);

    /// <summary>From a thread's innermost frame to its outermost one.</summary>
    private static (ulong Start, ulong End) StackOf(ThreadSnapshot thread)
    {
        ulong[] pointers = [.. thread.Stack.Frames.Select(f => f.StackPointer).Where(p => p >= Granularity)];
        return pointers.Length == 0 ? (0, 0) : (pointers.Min(), pointers.Max() + 1);
    }

    private void Place(IEnumerable<(ulong Start, ulong End)> ranges, ulong at, Random random, bool keepsOrder)
    {
        // A range that touches another one moves with the rest.
        (ulong Start, ulong End)[] all = [.. ranges.Where(r => r.Start >= Granularity && r.End > r.Start).Distinct().OrderBy(r => r.Start)];
        List<(ulong Start, ulong End)> free = [.. all.Where(r => !all.Any(o => o != r && o.Start < r.End && r.Start < o.End)
            && !_pieces.Any(p => p.Start < r.End && r.Start < p.End))];
        foreach ((ulong start, ulong end) in keepsOrder ? free : Shuffled(free, random))
        {
            at += (ulong)random.Next(1, 16) * Granularity;
            _pieces.Add(new Piece(start, end, at + (start % Granularity)));
            at += ((end - start + Granularity) / Granularity * Granularity) + Granularity;
        }
    }

    private static List<(ulong Start, ulong End)> Shuffled(List<(ulong Start, ulong End)> items, Random random)
    {
        (ulong, ulong)[] shuffled = [.. items];
        random.Shuffle(shuffled);
        return [.. shuffled];
    }

    private sealed record Piece(ulong Start, ulong End, ulong NewStart);
}
