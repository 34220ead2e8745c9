using System.Buffers.Binary;
using System.Globalization;
using System.Text;

namespace Dump.Readers.Cabinets;

/// <summary>
/// What is in a cabinet ([MS-CAB]), and its stored and MSZIP files unpacked, by code that no damaged file harms. LZX and Quantum are left to Windows' own library
/// and to <c>cabextract</c>.
/// </summary>
public sealed class CabinetContents
{
    /// <summary>Most files that a cabinet may have.</summary>
    public const int MostMembers = 1_000;

    private readonly Stream _input;
    private readonly CabinetFolder[] _folders;
    private readonly int _blockReserve;
    private readonly string _shown;

    private CabinetContents(Stream input, CabinetFolder[] folders, int blockReserve, CabinetMember[] members, string shown) =>
        (_input, _folders, _blockReserve, Members, _shown) = (input, folders, blockReserve, members, shown);

    /// <summary>Its files, in their order.</summary>
    public IReadOnlyList<CabinetMember> Members { get; }

    /// <summary>Reads the tables of a cabinet.</summary>
    /// <param name="input">The cabinet; it stays the caller's, and is read from as long as its files are.</param>
    /// <param name="shown">Its name, as a command line may hold it.</param>
    /// <exception cref="InvalidDataException">It is no cabinet, damaged, or one of several; the message says so as a clause.</exception>
    /// <exception cref="IOException">It cannot be read.</exception>
    public static CabinetContents Read(Stream input, string shown)
    {
        input.Position = 0;
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

        int count = Word(header, CabinetLayout.HeaderFileCount);
        if (count > MostMembers)
        {
            throw new InvalidDataException($"it has more than {MostMembers} members");
        }

        byte[] reserve = (flags & CabinetLayout.FlagReserve) != 0 ? Take(input, CabinetLayout.ReserveSize) : new byte[CabinetLayout.ReserveSize];
        input.Position += Word(reserve, 0);
        var folders = new CabinetFolder[Word(header, CabinetLayout.HeaderFolderCount)];
        for (int i = 0; i < folders.Length; i++)
        {
            byte[] folder = Take(input, CabinetLayout.FolderSize + reserve[CabinetLayout.ReserveFolder]);
            folders[i] = new CabinetFolder(BinaryPrimitives.ReadUInt32LittleEndian(folder), Word(folder, CabinetLayout.FolderBlocks),
                Word(folder, CabinetLayout.FolderCompression) & CabinetLayout.CompressionMask);
        }

        input.Position = BinaryPrimitives.ReadUInt32LittleEndian(header.AsSpan(CabinetLayout.HeaderFiles));
        var members = new CabinetMember[count];
        for (int i = 0; i < count; i++)
        {
            members[i] = TakeMember(input, folders.Length);
        }

        return new CabinetContents(input, folders, reserve[CabinetLayout.ReserveData], members, shown);
    }

    /// <summary>Why it has files that are not unpacked here, as a clause; null when all are.</summary>
    public string? Refusal => Members.Select(m => m.Folder).Distinct().Select(RefusalOf).FirstOrDefault(r => r is not null);

    /// <summary>
    /// The content of a file, from its beginning; one at a time. It ends behind <see cref="CabinetMember.Size"/> bytes, or earlier where the cabinet does.
    /// </summary>
    /// <param name="member">One of <see cref="Members"/>.</param>
    /// <exception cref="InvalidDataException">It is compressed by a method that is not unpacked here. The stream throws it too, for damaged blocks.</exception>
    public Stream Open(CabinetMember member)
    {
        CabinetFolder folder = _folders[member.Folder];
        if (RefusalOf(member.Folder) is { } refusal)
        {
            throw new InvalidDataException(refusal);
        }

        _input.Position = folder.Data;
        return new CabinetStream(new CabinetBlocks(_input, folder.Method == CabinetLayout.MsZip, _blockReserve), folder.Blocks, member.Offset, member.Size);
    }

    private string? RefusalOf(int folder) => _folders[folder].Method switch
    {
        CabinetLayout.Stored or CabinetLayout.MsZip => null,
        CabinetLayout.Lzx => Refused("LZX"),
        CabinetLayout.Quantum => Refused("Quantum"),
        _ => Refused("an unknown method"),
    };

    private string Refused(string method) => $"it is compressed by {method}, which is unpacked on Windows only; unpack it first: cabextract {_shown}";

    private static CabinetMember TakeMember(Stream input, int folders)
    {
        byte[] file = Take(input, CabinetLayout.FileSize);
        int folder = Word(file, CabinetLayout.FileFolder);
        if (folder >= folders)
        {
            throw new InvalidDataException("its file belongs to a folder that it does not have");
        }

        bool isUtf8 = (Word(file, CabinetLayout.FileAttributes) & CabinetLayout.NameIsUtf8) != 0;
        return new CabinetMember(TakeName(input, isUtf8 ? Encoding.UTF8 : Encoding.Latin1), BinaryPrimitives.ReadUInt32LittleEndian(file),
            BinaryPrimitives.ReadUInt32LittleEndian(file.AsSpan(CabinetLayout.FileOffset)), folder);
    }

    private static string TakeName(Stream input, Encoding encoding)
    {
        Span<byte> name = stackalloc byte[CabinetLayout.LongestName];
        for (int i = 0; i < name.Length; i++)
        {
            int next = input.ReadByte();
            if (next <= 0)
            {
                return next < 0 ? throw new InvalidDataException("it is cut off; copy it again") : encoding.GetString(name[..i]);
            }

            name[i] = (byte)next;
        }

        throw new InvalidDataException(
            string.Create(CultureInfo.InvariantCulture, $"it is damaged: a name in it is longer than {CabinetLayout.LongestName} bytes"));
    }

    private static byte[] Take(Stream input, int size)
    {
        byte[] bytes = new byte[size];
        return input.ReadAtLeast(bytes, size, throwOnEndOfStream: false) == size ? bytes : throw new InvalidDataException("it is cut off; copy it again");
    }

    private static int Word(byte[] bytes, int offset) => BinaryPrimitives.ReadUInt16LittleEndian(bytes.AsSpan(offset));
}
