using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using Dump.Clr;
using Dump.Clr.Runtimes;
using Dump.Fuzz.Inputs;
using Dump.Fuzz.Shipped;
using Dump.Readers.ElfCore;
using Dump.Readers.Linux;
using Dump.Testing.Lab;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Fuzz.Kinds;

/// <summary>
/// The core of a real .NET process, of which words are changed in place and restored afterwards: of objects, of method tables, of threads and of the data of the
/// runtime, where the collector keeps its structures. Made at the start, or given: the same seed changes the same words of the same core.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed class ManagedCoreKind : ProgramKind, IDisposable
{
    private const int MostObjects = 20_000;
    private const int MostChanges = 4;
    private const int ThreadSize = 0x800;
    private const int MethodTableSize = 0x80;
    private const int Word = sizeof(ulong);
    private readonly ScratchFile _scratch = new();
    private readonly string _path;
    private readonly byte[] _bytes;
    private readonly List<(string Name, List<long> Places)> _groups = [];
    private readonly List<(long Offset, long Size, ulong Address)> _segments = [];

    /// <summary>Makes the core, or copies the given one.</summary>
    /// <param name="core">A core; null to make one.</param>
    /// <exception cref="InvalidOperationException">No core can be made here.</exception>
    public ManagedCoreKind(string? core)
        : base("core-managed", together: 1)
    {
        using LinuxLab lab = new();
        _path = _scratch.At("managed.core");
        File.Copy(core ?? (LinuxLab.Unavailable is { } reason ? throw new InvalidOperationException(reason) : lab.DumpAnew("monitor-cycle2").Path), _path);
        _bytes = File.ReadAllBytes(_path);
        FindPlaces();
    }

    /// <inheritdoc/>
    public override IReadOnlyList<string> Options { get; } = ["--timeout", "30s"];

    /// <inheritdoc/>
    public override string ToString() => $"{Name}: words of {string.Join(", ", _groups.Select(g => $"{g.Name} ({g.Places.Count})"))}";

    /// <inheritdoc/>
    public override ProgramInput Make(Random random, long number)
    {
        // Most words of a process matter to nobody, so that half of the changes are of those that were read.
        List<(long Offset, ulong Old, ulong New)> changes = [];
        for (int left = random.Next(2) == 0 ? 1 : 1 + random.Next(MostChanges); left > 0; left--)
        {
            List<long> places = _groups[random.Next(2) == 0 ? 0 : random.Next(_groups.Count)].Places;
            long place = places[random.Next(places.Count)];
            ulong old = BitConverter.ToUInt64(_bytes, (int)place);
            if (!changes.Exists(c => c.Offset == place))
            {
                changes.Add((place, old, Value(place, old, places, random)));
            }
        }

        return new ProgramInput([], IsCore: true) { Base = _path, Changes = changes };
    }

    public void Dispose() => _scratch.Dispose();

    private ulong Value(long place, ulong old, List<long> places, Random random) => random.Next(12) switch
    {
        0 => 0,
        1 => (old & 0xFFFF_FFFF_0000_0000) | 0x7FFF_FFFF,
        2 => 0x7FFF_FFFF,
        3 => ulong.MaxValue,
        4 => old ^ (1UL << random.Next(64)),
        5 => old + (ulong)(Word * (random.Next(16) - 8)),
        6 => (old & 0xFFFF_FFFF) | (0x7FFF_FFFFUL << 32),

        // What points near itself, or where another one does, makes circles.
        7 or 8 => AddressOf(place) - (ulong)(Word * random.Next(16)),
        _ => BitConverter.ToUInt64(_bytes, (int)places[random.Next(places.Count)]),
    };

    private ulong AddressOf(long place) =>
        _segments.Where(g => place >= g.Offset && place < g.Offset + g.Size).Select(g => g.Address + (ulong)(place - g.Offset)).FirstOrDefault();

    private void FindPlaces()
    {
        using DataTarget target = DumpFile.Open(_path, new DataTargetOptions { FileLocator = new TrustedFiles() });
        using ElfCoreFile core = ElfCoreFile.Open(_path);
        foreach (ElfSegment segment in core.Segments)
        {
            _segments.Add((segment.FileOffset, segment.FileSize, segment.Address));
        }

        long first = _segments.Min(g => g.Offset);
        using RecordingStream stream = new(_bytes);
        ClrSnapshotReader.Read(LinuxSnapshotReader.Read(core, "fuzz"), stream);
        _groups.Add(("what was read", [.. stream.Words.Where(w => w >= first && w + Word <= _bytes.Length)]));
        using ClrRuntime runtime = target.ClrVersions[0].CreateRuntime(Path.Combine(RuntimeEnvironment.GetRuntimeDirectory(), "libmscordaccore.so"), ignoreMismatch: true);
        List<ulong> objects = [], tables = [], threads = [], data = [];
        foreach (ClrObject found in runtime.Heap.EnumerateObjects().Take(MostObjects))
        {
            Add(objects, found.Address, (long)Math.Min(found.Size, 64));
        }

        foreach (ulong table in runtime.Heap.EnumerateObjects().Take(MostObjects).Select(o => o.Type?.MethodTable ?? 0).Where(t => t > 0).Distinct())
        {
            Add(tables, table, MethodTableSize);
        }

        foreach (ClrThread thread in runtime.Threads)
        {
            Add(threads, thread.Address, ThreadSize);
        }

        foreach (ElfMappedFile file in core.MappedFiles.Where(f => f.Path.EndsWith("/libcoreclr.so", StringComparison.Ordinal)))
        {
            foreach (ElfSegment segment in core.Segments.Where(s => s.Address >= file.Start && s.Address < file.End && (s.Flags & 2) != 0))
            {
                Add(data, segment.Address, segment.FileSize);
            }
        }

        foreach ((string name, List<ulong> addresses) in new[] { ("objects", objects), ("method tables", tables), ("threads", threads), ("runtime data", data) })
        {
            List<long> places = [.. addresses.Select(a => OffsetOf(core, a)).OfType<long>().Where(p => p + Word <= _bytes.Length && BitConverter.ToUInt64(_bytes, (int)p) != 0)];
            if (places.Count > 0)
            {
                _groups.Add((name, places));
            }
        }
    }

    private static void Add(List<ulong> places, ulong address, long size)
    {
        for (ulong at = address & ~7UL; at < address + (ulong)size; at += Word)
        {
            places.Add(at);
        }
    }

    private static long? OffsetOf(ElfCoreFile core, ulong address)
    {
        foreach (ElfSegment segment in core.Segments)
        {
            if (address >= segment.Address && address - segment.Address < (ulong)segment.FileSize)
            {
                return segment.FileOffset + (long)(address - segment.Address);
            }
        }

        return null;
    }
}
