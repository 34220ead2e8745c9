using Dump.Model.Process;

namespace Dump.Readers.Minidump;

/// <summary>Reads HandleData, with object information where the writer gave it.</summary>
internal static class HandleStream
{
    private const string Name = "HandleData";
    private const int MaximumInformation = 16;
    private const uint MaximumInformationSize = 4096;

    public static List<MinidumpHandle>? Read(StreamReader reader, MinidumpStream stream, ProcessorArchitecture architecture)
    {
        if (ListStart.ReadWithHeader(
            reader, Name, stream, MinidumpLayout.HandleHeaderSize, MinidumpLayout.HandleSize1, isCount64: false,
            reader.Limits.MaxHandles) is not var (offset, size, count))
        {
            return null;
        }

        List<MinidumpHandle> handles = new(count);
        for (int i = 0; i < count; i++)
        {
            long at = offset + (long)i * size;
            handles.Add(new MinidumpHandle(
                reader.UInt64(Name, at),
                reader.String(Name, reader.UInt32(Name, at + 8)),
                reader.String(Name, reader.UInt32(Name, at + 12)),
                reader.UInt32(Name, at + 16),
                reader.UInt32(Name, at + 20),
                reader.UInt32(Name, at + 24),
                reader.UInt32(Name, at + 28),
                size >= MinidumpLayout.HandleSize2 ? ReadInformation(reader, reader.UInt32(Name, at + 32), architecture) : []));
        }

        return handles;
    }

    /// <summary>Follows the linked list of object information. A record that was seen before ends it.</summary>
    private static List<MinidumpHandleInformation> ReadInformation(StreamReader reader, uint rva, ProcessorArchitecture architecture)
    {
        const int HeaderSize = 12;
        if (rva == 0)
        {
            return [];
        }

        List<MinidumpHandleInformation> information = [];
        HashSet<uint> seen = [];
        while (rva != 0 && information.Count < MaximumInformation && seen.Add(rva))
        {
            uint next = reader.UInt32(Name, rva);
            uint type = reader.UInt32(Name, rva + 4L);
            uint size = reader.UInt32(Name, rva + 8L);
            if (size > MaximumInformationSize || !reader.File.Contains(rva + (long)HeaderSize, size))
            {
                reader.Problem(Name, $"object information of {size} bytes cannot be", rva);
                break;
            }

            if (!reader.Spend(Name, HeaderSize + (long)size))
            {
                break;
            }

            byte[] data = new byte[size];
            reader.File.Read(rva + (long)HeaderSize, data);
            information.Add(new MinidumpHandleInformation(type, architecture, data));
            rva = next;
        }

        return information;
    }
}
