using System.Buffers.Binary;
using System.Text;
using Dump.Model.Text;

namespace Dump.Readers.Pe;

/// <summary>Reads who made an image from its version resource.</summary>
internal static class VersionResource
{
    private const int LongestName = 100;

    /// <summary>CompanyName of the first language that has one, sanitised; null when there is none or a part of the way to it is not readable.</summary>
    /// <param name="image">The image.</param>
    /// <param name="resources">Its resource directory.</param>
    public static string? ReadCompany(IRvaReader image, PeDirectory resources)
    {
        if (Find(image, resources) is not var (rva, size) || size is 0 or > VersionResourceLayout.MaxSize)
        {
            return null;
        }

        byte[] bytes = new byte[size];
        return image.ReadRva(rva, bytes) ? Company(bytes) : null;
    }

    /// <summary>CompanyName within the bytes of a version resource, or null.</summary>
    public static string? Company(byte[] bytes)
    {
        if (BlockAt(bytes, 0, bytes.Length) is not { Key: VersionResourceLayout.RootKey } root)
        {
            return null;
        }

        foreach (Block value in Children(bytes, root).Where(b => b.Key == VersionResourceLayout.StringsKey).SelectMany(b => Children(bytes, b))
            .SelectMany(b => Children(bytes, b)))
        {
            if (value.Key == VersionResourceLayout.CompanyKey && Text(bytes, value.Value, value.End) is { Length: > 0 } name)
            {
                return name;
            }
        }

        return null;
    }

    /// <summary>Place and size of the version resource: the first name and the first language below its type.</summary>
    private static (uint Rva, uint Size)? Find(IRvaReader image, PeDirectory resources)
    {
        if (resources.Rva == 0 || resources.Size < VersionResourceLayout.TableSize
            || Entry(image, resources, 0, VersionResourceLayout.VersionType) is not { } names || (names & VersionResourceLayout.IsSubdirectory) == 0
            || Entry(image, resources, names & ~VersionResourceLayout.IsSubdirectory, null) is not { } languages
            || (languages & VersionResourceLayout.IsSubdirectory) == 0
            || Entry(image, resources, languages & ~VersionResourceLayout.IsSubdirectory, null) is not { } leaf
            || (leaf & VersionResourceLayout.IsSubdirectory) != 0
            || leaf > resources.Size - sizeof(uint) - VersionResourceLayout.DataSize || resources.Rva > uint.MaxValue - resources.Size)
        {
            return null;
        }

        return image.ReadUInt32(resources.Rva + leaf + VersionResourceLayout.DataRva) is { } rva
            && image.ReadUInt32(resources.Rva + leaf + VersionResourceLayout.DataSize) is { } size
            ? (rva, size)
            : null;
    }

    /// <summary>What the entry of a directory leads to: that of an id, or the first of all.</summary>
    private static uint? Entry(IRvaReader image, PeDirectory resources, uint table, uint? id)
    {
        Span<byte> head = stackalloc byte[VersionResourceLayout.TableSize];
        if (table > resources.Size - VersionResourceLayout.TableSize || resources.Rva > uint.MaxValue - resources.Size
            || !image.ReadRva(resources.Rva + table, head))
        {
            return null;
        }

        uint named = BinaryPrimitives.ReadUInt16LittleEndian(head[VersionResourceLayout.NamedEntryCount..]);
        uint count = id is null
            ? 1
            : Math.Min(BinaryPrimitives.ReadUInt16LittleEndian(head[VersionResourceLayout.IdEntryCount..]), (uint)VersionResourceLayout.MaxTypes);
        Span<byte> entry = stackalloc byte[VersionResourceLayout.EntrySize];
        for (uint i = 0; i < count; i++)
        {
            uint at = table + VersionResourceLayout.TableSize + (((id is null ? 0 : named) + i) * VersionResourceLayout.EntrySize);
            if (at > resources.Size - VersionResourceLayout.EntrySize || !image.ReadRva(resources.Rva + at, entry))
            {
                return null;
            }

            if (id is null || BinaryPrimitives.ReadUInt32LittleEndian(entry) == id)
            {
                return BinaryPrimitives.ReadUInt32LittleEndian(entry[VersionResourceLayout.EntryOffset..]);
            }
        }

        return null;
    }

    /// <summary>The structures inside another one. Each takes at least its own head, so that there are no more than the bytes can hold.</summary>
    private static IEnumerable<Block> Children(byte[] bytes, Block parent)
    {
        int at = Align(parent.Value + parent.ValueLength);
        while (BlockAt(bytes, at, parent.End) is { } block)
        {
            yield return block;
            at = Align(block.End);
        }
    }

    private static Block? BlockAt(byte[] bytes, int at, int end)
    {
        if (end - at < VersionResourceLayout.BlockKey + sizeof(ushort))
        {
            return null;
        }

        int length = BinaryPrimitives.ReadUInt16LittleEndian(bytes.AsSpan(at + VersionResourceLayout.BlockLength));
        int valueLength = BinaryPrimitives.ReadUInt16LittleEndian(bytes.AsSpan(at + VersionResourceLayout.BlockValueLength));
        if (length < VersionResourceLayout.BlockKey + sizeof(ushort) || length > end - at)
        {
            return null;
        }

        int key = at + VersionResourceLayout.BlockKey;
        int characters = Length(bytes, key, at + length);
        return characters > LongestName ? null
            : new Block(Encoding.Unicode.GetString(bytes, key, characters * sizeof(char)), Align(key + ((characters + 1) * sizeof(char))), valueLength,
                at + length);
    }

    /// <summary>Sanitised text up to its NUL or the end, cut to the length of a name.</summary>
    private static string Text(byte[] bytes, int at, int end) =>
        at >= end
            ? ""
            : SafeText.Clean(Encoding.Unicode.GetString(bytes, at, Math.Min(Length(bytes, at, end), LongestName) * sizeof(char)), LongestName).Trim();

    /// <summary>Characters up to the NUL or the end; it counts no further than one beyond a name.</summary>
    private static int Length(byte[] bytes, int at, int end)
    {
        int length = 0;
        while (length <= LongestName && at + ((length + 1) * sizeof(char)) <= end
            && BinaryPrimitives.ReadUInt16LittleEndian(bytes.AsSpan(at + (length * sizeof(char)))) != 0)
        {
            length++;
        }

        return length;
    }

    private static int Align(int offset) => (offset + VersionResourceLayout.Alignment - 1) / VersionResourceLayout.Alignment * VersionResourceLayout.Alignment;

    /// <summary>One structure: its key, where its value begins, that value's length in the units of its kind, and where it ends.</summary>
    private readonly record struct Block(string Key, int Value, int ValueLength, int End);
}

/// <summary>
/// Offsets and sizes of resource directories and of the version resource. Sources: Microsoft's "PE Format" specification, section ".rsrc"; Microsoft Learn,
/// "VS_VERSIONINFO", "StringFileInfo", "StringTable" and "String" structures.
/// </summary>
internal static class VersionResourceLayout
{
    public const int ResourceDirectory = 2;

    public const int TableSize = 16;
    public const int NamedEntryCount = 12;
    public const int IdEntryCount = 14;
    public const int EntrySize = 8;
    public const int EntryOffset = 4;
    public const uint IsSubdirectory = 0x8000_0000;
    public const int DataRva = 0;
    public const int DataSize = 4;

    /// <summary>RT_VERSION (winuser.h).</summary>
    public const uint VersionType = 16;

    /// <summary>More resource types than any program has.</summary>
    public const int MaxTypes = 256;

    /// <summary>Longest version resource that is read; they have some hundred bytes.</summary>
    public const int MaxSize = 0x4000;

    /// <summary>
    /// Every structure begins with its own length and that of its value, and a type; then come its key, its
    /// value and its children, each at a multiple of four bytes.
    /// </summary>
    public const int BlockLength = 0;
    public const int BlockKey = 6;
    public const int BlockValueLength = 2;
    public const int Alignment = 4;

    public const string RootKey = "VS_VERSION_INFO";
    public const string StringsKey = "StringFileInfo";
    public const string CompanyKey = "CompanyName";
}
