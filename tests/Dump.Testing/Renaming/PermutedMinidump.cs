using System.Buffers.Binary;

namespace Dump.Testing.Renaming;

/// <summary>
/// A minidump with the entries of its lists and its streams in another order; nothing else changes. The format promises no order of threads, modules, handles
/// or streams (MINIDUMP_THREAD_LIST and the others, Microsoft, minidumpapiset.h).
/// </summary>
public static class PermutedMinidump
{
    private const int DirectoryEntry = 12;

    // Stream type, bytes before the entries, bytes of an entry; where these stand in the stream itself, 0.
    private static readonly (uint Type, int Header, int Entry)[] s_lists =
    [
        (3, 4, 48),     // ThreadList
        (4, 4, 108),    // ModuleList
        (5, 4, 16),     // MemoryList
        (12, 0, 0),     // HandleData
        (14, 0, 0),     // UnloadedModuleList
        (16, 0, 0),     // MemoryInfoList
        (17, 0, 0),     // ThreadInfoList
        (24, 4, 12),    // ThreadNames
    ];

    /// <summary>The dump in another order.</summary>
    /// <param name="dump">The bytes of a dump that is whole.</param>
    /// <param name="random">Decides the order.</param>
    public static byte[] Of(byte[] dump, Random random)
    {
        byte[] permuted = [.. dump];
        int streams = Int(permuted, 8), directory = Int(permuted, 12);
        for (int i = 0; i < streams; i++)
        {
            int entry = directory + (i * DirectoryEntry);
            if (s_lists.FirstOrDefault(l => l.Type == (uint)Int(permuted, entry)) is { Type: not 0 } list)
            {
                Permute(permuted, Int(permuted, entry + 4), Int(permuted, entry + 8), list.Type, list.Header, list.Entry, random);
            }
        }

        Permute(permuted, directory, streams, DirectoryEntry, random, first: 0);
        return permuted;
    }

    private static void Permute(byte[] dump, int size, int at, uint type, int header, int entry, Random random)
    {
        int count = Int(dump, at);
        if (header == 0)
        {
            // MemoryInfoList counts with 64 bits, the others with 32, behind the sizes of header and entry.
            header = Int(dump, at);
            entry = Int(dump, at + 4);
            count = Int(dump, at + 8);
        }
        else if (size - (count * entry) - header == 4)
        {
            // Some writers align the first entry to eight bytes.
            header += 4;
        }

        // The program itself is the first module: what the system loads first, every writer lists first.
        Permute(dump, at + header, count, entry, random, first: type == 4 ? 1 : 0);
    }

    private static void Permute(byte[] dump, int at, int count, int size, Random random, int first)
    {
        byte[][] entries = [.. Enumerable.Range(first, Math.Max(0, count - first)).Select(i => dump[(at + (i * size))..(at + ((i + 1) * size))])];
        random.Shuffle(entries);
        for (int i = 0; i < entries.Length; i++)
        {
            entries[i].CopyTo(dump, at + ((first + i) * size));
        }
    }

    private static int Int(byte[] dump, int at) => BinaryPrimitives.ReadInt32LittleEndian(dump.AsSpan(at));
}
