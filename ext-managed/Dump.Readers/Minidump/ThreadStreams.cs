using System.Buffers.Binary;
using Dump.Model.Process;

namespace Dump.Readers.Minidump;

/// <summary>Reads ThreadList, ThreadInfoList and ThreadNames.</summary>
internal static class ThreadStreams
{
    public static List<MinidumpThread> ReadThreads(StreamReader reader, MinidumpStream stream, ProcessorArchitecture architecture)
    {
        int size = stream.Type == MinidumpLayout.ThreadExListStream ? MinidumpLayout.ThreadExSize : MinidumpLayout.ThreadSize;
        if (ListStart.Read(reader, "ThreadList", stream, size, reader.Limits.MaxThreads) is not var (offset, count))
        {
            return [];
        }

        List<MinidumpThread> threads = new(count);
        for (int i = 0; i < count; i++)
        {
            threads.Add(ReadThread(reader, offset + (long)i * size, i, architecture));
        }

        return threads;
    }

    /// <summary>
    /// Whether a thread list is complete and sound: as many entries as it claims, ids that can be and differ
    /// (they are multiples of four), and every living thread of the information stream.
    /// </summary>
    public static bool AreAll(StreamReader reader, MinidumpStream stream, List<MinidumpThread> threads, Dictionary<uint, MinidumpThreadInfo>? infos)
    {
        const uint Exited = 0x4;
        HashSet<uint> ids = [.. threads.Select(t => t.Id)];
        return reader.File.ReadUInt32(stream.Range.Offset) == (uint)threads.Count
            && ids.Count == threads.Count
            && ids.All(id => id != 0 && id % 4 == 0)
            && (infos?.Values.All(i => ids.Contains(i.ThreadId) || (i.DumpFlags & Exited) != 0) ?? true);
    }

    public static Dictionary<uint, MinidumpThreadInfo>? ReadInfos(StreamReader reader, MinidumpStream stream)
    {
        const string Name = "ThreadInfoList";
        if (ListStart.ReadWithHeader(
            reader, Name, stream, MinidumpLayout.ThreadInfoHeaderSize, MinidumpLayout.ThreadInfoSize, isCount64: false,
            reader.Limits.MaxThreads) is not var (offset, size, count))
        {
            return null;
        }

        Dictionary<uint, MinidumpThreadInfo> infos = [];
        for (int i = 0; i < count; i++)
        {
            long at = offset + (long)i * size;
            MinidumpThreadInfo info = new(
                reader.UInt32(Name, at), reader.UInt32(Name, at + 4), reader.UInt32(Name, at + 8), reader.UInt32(Name, at + 0xC),
                reader.UInt64(Name, at + 0x10), reader.UInt64(Name, at + 0x18), reader.UInt64(Name, at + 0x20),
                reader.UInt64(Name, at + 0x28), reader.UInt64(Name, at + 0x30), reader.UInt64(Name, at + 0x38));
            if (!infos.TryAdd(info.ThreadId, info))
            {
                reader.Problem(Name, $"lists thread 0x{info.ThreadId:x} twice; the first counts", at);
            }
        }

        return infos;
    }

    public static Dictionary<uint, string>? ReadNames(StreamReader reader, MinidumpStream stream)
    {
        const string Name = "ThreadNames";
        if (ListStart.Read(reader, Name, stream, MinidumpLayout.ThreadNameSize, reader.Limits.MaxThreads) is not var (offset, count))
        {
            return null;
        }

        Dictionary<uint, string> names = [];
        for (int i = 0; i < count; i++)
        {
            long at = offset + (long)i * MinidumpLayout.ThreadNameSize;
            if (reader.String(Name, reader.UInt64(Name, at + 4)) is { } text)
            {
                names.TryAdd(reader.UInt32(Name, at), text);
            }
        }

        return names;
    }

    private static MinidumpThread ReadThread(StreamReader reader, long at, int index, ProcessorArchitecture architecture)
    {
        const string Name = "ThreadList";
        FileRange context = new(
            reader.UInt32(Name, at + MinidumpLayout.ThreadContextRva),
            reader.UInt32(Name, at + MinidumpLayout.ThreadContextSize));
        uint id = reader.UInt32(Name, at);
        SavedContext? saved = SavedContext.Read(reader.File, context, architecture);
        if (saved is null && context.Size != 0)
        {
            reader.Problem(Name, $"thread 0x{id:x} has registers that cannot be read", context.Offset);
        }

        return new MinidumpThread(
            index,
            id,
            reader.UInt32(Name, at + MinidumpLayout.ThreadSuspendCount),
            reader.UInt32(Name, at + MinidumpLayout.ThreadPriorityClass),
            reader.UInt32(Name, at + MinidumpLayout.ThreadPriority),
            reader.UInt64(Name, at + MinidumpLayout.ThreadTeb),
            reader.UInt64(Name, at + MinidumpLayout.ThreadStackStart),
            reader.UInt32(Name, at + MinidumpLayout.ThreadStackSize),
            context,
            saved?.Flags,
            saved?.Registers,
            saved?.InstructionPointer,
            saved?.StackPointer);
    }
}
