using System.Text;
using Dump.Testing.Fixtures;
using Dump.Testing.Synthetic;

namespace Dump.Reports.Tests.Scenes;

/// <summary>A fixture with streams added whose text wants to deceive: the bytes of the fixture, then the new streams and a new directory at the end.</summary>
internal static class HostileDump
{
    private const uint ModuleListStream = 4;
    private const uint CommentStreamA = 10;
    private const uint CommentStreamW = 11;
    private const uint UnloadedModuleListStream = 14;
    private const uint ThreadNamesStream = 24;
    private const int MillionCharacters = 1_000_000;
    private const int UnloadedModules = 5_000;

    /// <summary>The dump.</summary>
    public static byte[] Make()
    {
        byte[] original = File.ReadAllBytes(Fixture.Named("cs-cycle2").Path);
        uint count = BitConverter.ToUInt32(original, 8);
        uint directory = BitConverter.ToUInt32(original, 12);
        ByteWriter dump = new();
        dump.Bytes(original);
        List<(uint Type, int Offset, int Size)> added = [.. Added(dump, original, directory, count)];
        int at = dump.Length;
        for (int i = 0; i < count; i++)
        {
            int entry = (int)directory + (i * 12);
            bool isReplaced = added.Any(a => a.Type == BitConverter.ToUInt32(original, entry));
            dump.UInt32(isReplaced ? 0 : BitConverter.ToUInt32(original, entry)).Bytes(original.AsSpan(entry + 4, 8));
        }

        foreach ((uint type, int offset, int size) in added)
        {
            dump.UInt32(type).UInt32(size).UInt32(offset);
        }

        dump.Patch(8, count + (uint)added.Count);
        dump.Patch(12, (uint)at);
        return dump.ToArray();
    }

    private static IEnumerable<(uint, int, int)> Added(ByteWriter dump, byte[] original, uint directory, uint count)
    {
        yield return Names(dump);
        yield return Modules(dump, original, directory, count);
        yield return Unloaded(dump);
        yield return Text(dump, CommentStreamA, Encoding.UTF8.GetBytes(
            "\n*** procdump -ma \u001b]0;owned\u0007 hang.exe\r\n\nDUMP1001 Loader-lock deadlock (Confirmed)\r\n\u202e*** gnah\0"));
        yield return Text(dump, CommentStreamW, Encoding.Unicode.GetBytes("second comment\u2028one line\0"));
    }

    private static (uint, int, int) Names(ByteWriter dump)
    {
        Fixture fixture = Fixture.Named("cs-cycle2");
        uint[] ids = [.. fixture.Threads.Values.SelectMany(t => t).Distinct().Order()];
        string[] names = ["\u001b[2J\u001b[31mwiped\rname", "evil\u202egnp.exe\u200b' holds nothing"];
        int[] strings = [.. names.Select(dump.CountedString)];
        int at = dump.Length;
        dump.UInt32(names.Length);
        for (int i = 0; i < names.Length; i++)
        {
            dump.UInt32(ids[^(i + 1)]).UInt64((ulong)strings[i]);
        }

        return (ThreadNamesStream, at, dump.Length - at);
    }

    /// <summary>The fixture's modules; the program's path has a million characters, the first of them a bell, another one climbs out of its folder.</summary>
    private static (uint, int, int) Modules(ByteWriter dump, byte[] original, uint directory, uint count)
    {
        const int EntrySize = 108;
        const int NameOffset = 20;
        int entry = Enumerable.Range(0, (int)count).Select(i => (int)directory + (i * 12)).First(e => BitConverter.ToUInt32(original, e) == ModuleListStream);
        int size = BitConverter.ToInt32(original, entry + 4);
        int list = BitConverter.ToInt32(original, entry + 8);
        int modules = BitConverter.ToInt32(original, list);
        int longName = dump.CountedString(@"L:\" + "\u0007" + new string('A', MillionCharacters) + ".exe");
        int climbing = dump.CountedString(@"C:\x\..\..\windows/msvcrt" + "\u001b[1;31m\u2066.dll");
        int at = dump.Length;
        dump.Bytes(original.AsSpan(list, size));
        dump.Patch(at + 4 + NameOffset, (uint)longName);
        dump.Patch(at + 4 + ((modules - 1) * EntrySize) + NameOffset, (uint)climbing);
        return (ModuleListStream, at, size);
    }

    private static (uint, int, int) Unloaded(ByteWriter dump)
    {
        const int EntrySize = 24;
        int name = dump.CountedString("gone\u001b[5m.dll");
        int at = dump.Length;
        dump.UInt32(12).UInt32(EntrySize).UInt32(UnloadedModules);
        for (int i = 0; i < UnloadedModules; i++)
        {
            dump.UInt64(i == 7 ? 0x10000u : 0u).UInt32(0x1000).UInt32(0).UInt32(0).UInt32(name);
        }

        return (UnloadedModuleListStream, at, dump.Length - at);
    }

    private static (uint, int, int) Text(ByteWriter dump, uint type, byte[] bytes)
    {
        int at = dump.Length;
        dump.Bytes(bytes);
        return (type, at, bytes.Length);
    }
}
