using System.Buffers.Binary;

namespace Dump.Testing.Triage;

/// <summary>
/// A minidump moved to another time: the moment of capture with the starts and ends of the process and its threads, so that what it says of processor loads
/// stays (MINIDUMP_HEADER, MINIDUMP_MISC_INFO, MINIDUMP_THREAD_INFO: Microsoft, minidumpapiset.h).
/// </summary>
internal static class MovedDump
{
    private const int StreamCount = 8, DirectoryOffset = 12, Captured = 20;
    private const int DirectoryEntry = 12;
    private const uint MiscInfo = 15, ThreadInfoList = 17;
    private const int ProcessStart = 12;
    private const int ThreadStart = 16, ThreadEnd = 24;

    /// <summary>Moves a dump.</summary>
    /// <param name="dump">A minidump that is whole.</param>
    /// <param name="time">The new moment of capture, UTC; whole seconds count.</param>
    public static void MoveTo(byte[] dump, DateTime time)
    {
        uint captured = (uint)new DateTimeOffset(time).ToUnixTimeSeconds();
        long seconds = (long)captured - Word(dump, Captured);
        Write(dump, Captured, captured);
        int directory = (int)Word(dump, DirectoryOffset);
        for (int i = 0; i < Word(dump, StreamCount); i++)
        {
            int entry = directory + (i * DirectoryEntry), at = (int)Word(dump, entry + 8);
            switch (Word(dump, entry))
            {
                case MiscInfo:
                    Write(dump, at + ProcessStart, (uint)(Word(dump, at + ProcessStart) + seconds));
                    break;
                case ThreadInfoList:
                    MoveThreads(dump, at, seconds);
                    break;
            }
        }
    }

    private static void MoveThreads(byte[] dump, int list, long seconds)
    {
        int header = (int)Word(dump, list), size = (int)Word(dump, list + 4), count = (int)Word(dump, list + 8);
        foreach (int field in Enumerable.Range(0, count).Select(i => list + header + (i * size)).SelectMany(t => (int[])[t + ThreadStart, t + ThreadEnd]))
        {
            long time = BinaryPrimitives.ReadInt64LittleEndian(dump.AsSpan(field));
            if (time != 0)
            {
                BinaryPrimitives.WriteInt64LittleEndian(dump.AsSpan(field), time + (seconds * TimeSpan.TicksPerSecond));
            }
        }
    }

    private static uint Word(byte[] dump, int at) => BinaryPrimitives.ReadUInt32LittleEndian(dump.AsSpan(at));

    private static void Write(byte[] dump, int at, uint value) => BinaryPrimitives.WriteUInt32LittleEndian(dump.AsSpan(at), value);
}
