using System.Buffers.Binary;

namespace Dump.Testing.Triage;

/// <summary>Damage to the bytes of a minidump (offsets: MINIDUMP_HEADER, Microsoft, minidumpapiset.h).</summary>
internal static class DamagedDump
{
    private const int StreamCount = 8;
    private const int DirectoryOffset = 12;
    private const int LeastHeader = 24;
    private const int HeaderSize = 32;

    /// <summary>The first part of a dump: between two and nine tenths.</summary>
    public static byte[] Cut(byte[] dump, int variant) => dump[..(dump.Length * (2 + (variant % 8)) / 10)];

    /// <summary>A dump of which nothing can be read, in one of four ways. The time stamp stays, so that damaged dumps of different times differ.</summary>
    public static byte[] Damage(byte[] dump, int variant)
    {
        byte[] damaged = [.. dump];
        switch (variant % 4)
        {
            case 0:
                return damaged[..(LeastHeader + (variant / 4 % (HeaderSize - LeastHeader)))];
            case 1:
                BinaryPrimitives.WriteUInt32LittleEndian(damaged.AsSpan(DirectoryOffset), (uint)dump.Length + 100);
                return damaged;
            case 2:
                BinaryPrimitives.WriteUInt32LittleEndian(damaged.AsSpan(StreamCount), 0);
                return damaged;
            default:
                // What an interrupted copy onto a full disk leaves: the length is there, the bytes are not.
                damaged.AsSpan(HeaderSize).Clear();
                return damaged;
        }
    }
}
