using System.Buffers.Binary;
using Dump.Model.Text;

namespace Dump.Readers.Pe;

/// <summary>Reads the CodeView entry of an image's debug directory.</summary>
internal static class PeDebugDirectory
{
    public static PdbIdentity? Read(IRvaReader reader, PeDirectory directory)
    {
        Span<byte> entry = stackalloc byte[PeLayout.DebugEntrySize];
        uint count = Math.Min(directory.Size / PeLayout.DebugEntrySize, PeLayout.MaxDebugEntries);
        for (uint i = 0; i < count; i++)
        {
            uint rva = directory.Rva + (i * PeLayout.DebugEntrySize);
            if (rva < directory.Rva || !reader.ReadRva(rva, entry))
            {
                return null;
            }

            if (BinaryPrimitives.ReadUInt32LittleEndian(entry[PeLayout.DebugType..]) == PeLayout.DebugTypeCodeView)
            {
                return ReadCodeView(reader, BinaryPrimitives.ReadUInt32LittleEndian(entry[PeLayout.DebugDataRva..]));
            }
        }

        return null;
    }

    private static PdbIdentity? ReadCodeView(IRvaReader reader, uint rva)
    {
        const int MaxPathLength = 1024;
        Span<byte> record = stackalloc byte[PeLayout.CodeViewPath];
        if (rva == 0
            || rva > uint.MaxValue - PeLayout.CodeViewPath
            || !reader.ReadRva(rva, record)
            || BinaryPrimitives.ReadUInt32LittleEndian(record) != PeLayout.CodeViewSignature
            || reader.ReadString(rva + PeLayout.CodeViewPath, MaxPathLength) is not { } path)
        {
            return null;
        }

        string name = path[(path.AsSpan().LastIndexOfAny('/', '\\') + 1)..];
        return new PdbIdentity(
            SafeText.Clean(name, MaxPathLength),
            new Guid(record.Slice(PeLayout.CodeViewGuid, PeLayout.GuidSize)),
            BinaryPrimitives.ReadUInt32LittleEndian(record[PeLayout.CodeViewAge..]));
    }
}
