using System.Buffers.Binary;
using System.Globalization;

namespace Dump.Readers.Cabinets;

/// <summary>
/// Unpacks stored and MSZIP cabinets on every system, by code that no damaged file harms ([MS-CAB], [MS-MCI]). LZX, which symbol servers use for large files,
/// is left to Windows' own library and to <c>cabextract</c>.
/// </summary>
public sealed class PortableCabinets : ICabinets
{
    /// <inheritdoc/>
    public void UnpackOnly(string cabinet, string target, long most)
    {
        using FileStream input = File.OpenRead(cabinet);
        Plan plan = Read(input, Path.GetFileName(cabinet));
        if (plan.Size > most)
        {
            throw new InvalidDataException(string.Create(CultureInfo.InvariantCulture, $"it unpacks to {plan.Size:N0} bytes, and {most:N0} are allowed"));
        }

        using FileStream output = new(target, FileMode.CreateNew, FileAccess.Write);
        CabinetBlocks blocks = new(input, plan.IsPacked, plan.BlockReserve);
        input.Position = plan.Data;
        long skip = plan.Offset;
        long left = plan.Size;
        for (int i = 0; i < plan.Blocks && left > 0; i++)
        {
            ReadOnlySpan<byte> block = blocks.Next();
            int from = (int)Math.Min(skip, block.Length);
            skip -= from;
            block = block[from..(int)Math.Min(block.Length, from + left)];
            left -= block.Length;
            output.Write(block);
        }

        if (left > 0)
        {
            throw new InvalidDataException(string.Create(CultureInfo.InvariantCulture, $"it is damaged: {left:N0} bytes of its file are missing"));
        }
    }

    private static Plan Read(FileStream input, string name)
    {
        byte[] header = Take(input, CabinetLayout.HeaderSize);
        if (BinaryPrimitives.ReadUInt32LittleEndian(header) != CabinetLayout.Signature)
        {
            throw new InvalidDataException("it is no cabinet");
        }

        int flags = Word(header, CabinetLayout.HeaderFlags);
        if ((flags & CabinetLayout.FlagsOfSeries) != 0)
        {
            throw new InvalidDataException("it is one of several that belong together");
        }

        if (Word(header, CabinetLayout.HeaderFolderCount) != 1 || Word(header, CabinetLayout.HeaderFileCount) != 1)
        {
            throw new InvalidDataException(string.Create(CultureInfo.InvariantCulture,
                $"it has {Word(header, CabinetLayout.HeaderFileCount)} files, and a symbol store's has one"));
        }

        byte[] reserve = (flags & CabinetLayout.FlagReserve) != 0 ? Take(input, CabinetLayout.ReserveSize) : new byte[CabinetLayout.ReserveSize];
        input.Position += Word(reserve, 0);
        byte[] folder = Take(input, CabinetLayout.FolderSize + reserve[CabinetLayout.ReserveFolder]);
        int method = Word(folder, CabinetLayout.FolderCompression) & CabinetLayout.CompressionMask;
        if (method is not (CabinetLayout.Stored or CabinetLayout.MsZip))
        {
            string word = method switch { CabinetLayout.Lzx => "LZX", CabinetLayout.Quantum => "Quantum", _ => "an unknown method" };
            throw new InvalidDataException($"it is compressed by {word}, which is unpacked on Windows only; unpack it first: cabextract {name}");
        }

        input.Position = BinaryPrimitives.ReadUInt32LittleEndian(header.AsSpan(CabinetLayout.HeaderFiles));
        byte[] file = Take(input, CabinetLayout.FileSize);
        return Word(file, CabinetLayout.FileFolder) != 0
            ? throw new InvalidDataException("its file belongs to a folder that it does not have")
            : new Plan(
                BinaryPrimitives.ReadUInt32LittleEndian(folder),
                Word(folder, CabinetLayout.FolderBlocks),
                method == CabinetLayout.MsZip,
                reserve[CabinetLayout.ReserveData],
                BinaryPrimitives.ReadUInt32LittleEndian(file),
                BinaryPrimitives.ReadUInt32LittleEndian(file.AsSpan(CabinetLayout.FileOffset)));
    }

    private static byte[] Take(FileStream input, int size)
    {
        byte[] bytes = new byte[size];
        return input.ReadAtLeast(bytes, size, throwOnEndOfStream: false) == size ? bytes : throw new InvalidDataException("it is cut off");
    }

    private static int Word(byte[] bytes, int offset) => BinaryPrimitives.ReadUInt16LittleEndian(bytes.AsSpan(offset));

    /// <summary>Where the only file of a cabinet lies, and how it is packed.</summary>
    private readonly record struct Plan(long Data, int Blocks, bool IsPacked, int BlockReserve, long Size, long Offset);
}
