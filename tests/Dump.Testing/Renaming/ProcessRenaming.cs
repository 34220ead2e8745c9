using System.Collections.Immutable;
using System.Globalization;
using System.Text.RegularExpressions;
using Dump.Model.Process;

namespace Dump.Testing.Renaming;

/// <summary>
/// Another process that hangs in the same way: the threads stand in another order and have other ids, modules and stacks lie elsewhere. What is said of it must
/// be what is said of the first one, once the numbers are put back.
/// </summary>
public sealed partial class ProcessRenaming : IRenaming
{
    private readonly Dictionary<uint, uint> _threads = [];
    private readonly Dictionary<uint, uint> _threadsBack = [];
    private readonly Dictionary<ulong, ulong> _addressesBack = [];
    private readonly HashSet<uint> _listed;
    private readonly Dictionary<uint, int> _positions = [];
    private readonly AddressMap _addresses;
    private readonly RenamingManner _manner;
    private readonly Random _random;
    private uint _nextId = 0x00D0_0000;

    /// <summary>A renaming for snapshots of one process.</summary>
    /// <param name="seed">Makes it repeatable.</param>
    /// <param name="manner">How far it goes.</param>
    /// <param name="snapshots">The snapshots that it will be applied to.</param>
    public ProcessRenaming(int seed, RenamingManner manner, params ProcessSnapshot[] snapshots)
    {
        _random = new Random(seed);
        _manner = manner;
        _listed = [.. snapshots.SelectMany(s => s.Threads).Select(t => t.Id)];
        _addresses = manner == RenamingManner.Order ? AddressMap.None : AddressMap.Of(snapshots, _random, manner == RenamingManner.Monotone);
        foreach (ThreadSnapshot thread in snapshots.Reverse().SelectMany(s => s.Threads))
        {
            _positions[thread.Id] = thread.Index;
        }

        uint[] ids = [.. MentionedThreads.In(snapshots).Union(_listed).Order()];
        if (manner == RenamingManner.Arbitrary)
        {
            _random.Shuffle(ids);
        }

        ids.ToList().ForEach(id => Thread(id));
    }

    /// <summary>The other process.</summary>
    public ProcessSnapshot Apply(ProcessSnapshot snapshot)
    {
        ProcessSnapshot renamed = ModelWalk.Rename(snapshot, this);
        ThreadSnapshot[] threads = [.. renamed.Threads];
        _random.Shuffle(threads);
        Dictionary<uint, int> order = threads.Select((t, i) => (t.Id, i)).DistinctBy(t => t.Id).ToDictionary(t => t.Id, t => t.i);
        int Place(uint thread) => order.GetValueOrDefault(thread, int.MaxValue);
        return renamed with
        {
            Threads = [.. threads.Select((t, i) => t with { Index = i })],
            Modules = [.. renamed.Modules.OrderBy(m => m.BaseAddress)],
            Waits = [.. renamed.Waits.OrderBy(w => Place(w.ThreadId))],
            Ownerships = Shuffled(renamed.Ownerships),
            TaskWaits = [.. renamed.TaskWaits.OrderBy(w => Place(w.ThreadId))],
            Collections = Shuffled(renamed.Collections),
            CollectionUses = Shuffled(renamed.CollectionUses),
            ThreadPool = renamed.ThreadPool is { } pool ? pool with { Workers = [.. pool.Workers.Order()] } : null,
        };
    }

    /// <summary>What is said of the other process in the numbers of the first one.</summary>
    public T Back<T>(T said)
        where T : notnull => ModelWalk.Rename(said, new BackRenaming(this));

    /// <inheritdoc/>
    public uint Thread(uint id)
    {
        if (!_threads.TryGetValue(id, out uint renamed))
        {
            _nextId += 4 * (uint)_random.Next(1, 100);
            renamed = _manner == RenamingManner.Order ? id : _nextId;
            _threads.Add(id, renamed);
            _threadsBack.Add(renamed, id);
        }

        return renamed;
    }

    /// <inheritdoc/>
    public uint Process(uint id) => _listed.Contains(id) ? Thread(id) : id;

    /// <inheritdoc/>
    public ulong Word(ulong value) => value <= uint.MaxValue && _listed.Contains((uint)value) ? Thread((uint)value) : value;

    /// <inheritdoc/>
    public ulong Address(ulong address)
    {
        ulong renamed = _addresses[address];
        if (!_addressesBack.TryAdd(renamed, address) && _addressesBack[renamed] != address)
        {
            throw new InvalidOperationException(string.Create(CultureInfo.InvariantCulture,
                $"0x{address:x} and 0x{_addressesBack[renamed]:x} would both become 0x{renamed:x}."));
        }

        return renamed;
    }

    /// <inheritdoc/>
    public string Text(string text) => text;

    private ImmutableArray<T> Shuffled<T>(ImmutableArray<T> items)
    {
        T[] shuffled = [.. items];
        _random.Shuffle(shuffled);
        return [.. shuffled];
    }

    /// <summary>Ids of threads are hexadecimal, and decimal on Linux: there behind the thread's number, or with the eight digits and more of new ids.</summary>
    private string TextBack(string text) => DecimalId().Replace(HexadecimalBack(text), number =>
        uint.TryParse(number.Groups["decimal"].ValueSpan, NumberStyles.None, CultureInfo.InvariantCulture, out uint value)
            && _threadsBack.TryGetValue(value, out uint id)
            ? string.Create(CultureInfo.InvariantCulture, $"{Position(number.Groups["position"].Value, id)}{id}") : number.Value);

    private string Position(string position, uint id) =>
        position.Length > 0 && _positions.TryGetValue(id, out int index) ? string.Create(CultureInfo.InvariantCulture, $"{index} (") : position;

    private string HexadecimalBack(string text) => Number().Replace(text, number =>
    {
        ulong value = ulong.Parse(number.Groups["hex"].ValueSpan, NumberStyles.HexNumber, CultureInfo.InvariantCulture);
        string position = number.Groups["position"].Value;
        if (value <= uint.MaxValue && _threadsBack.TryGetValue((uint)value, out uint id))
        {
            return string.Create(CultureInfo.InvariantCulture, $"{Position(position, id)}0x{id:x}");
        }

        return string.Create(CultureInfo.InvariantCulture, $"{position}0x{_addressesBack.GetValueOrDefault(value, value):x}");
    });

    [GeneratedRegex(@"(?<position>\d+ \()?0x(?<hex>[0-9a-f]{1,16})\b", RegexOptions.CultureInvariant)]
    private static partial Regex Number();

    [GeneratedRegex(@"(?<=[Tt]hread )(?<position>\d+ \()(?<decimal>\d{1,10})\b|\b(?<decimal>\d{8,10})\b", RegexOptions.CultureInvariant)]
    private static partial Regex DecimalId();

    private sealed class BackRenaming(ProcessRenaming forward) : IRenaming
    {
        public uint Thread(uint id) => forward._threadsBack.GetValueOrDefault(id, id);

        public uint Process(uint id) => Thread(id);

        public ulong Word(ulong value) => value <= uint.MaxValue ? Thread((uint)value) : value;

        public ulong Address(ulong address) => forward._addressesBack.GetValueOrDefault(address, address);

        public string Text(string text) => forward.TextBack(text);
    }
}
