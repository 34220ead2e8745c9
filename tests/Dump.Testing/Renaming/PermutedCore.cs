using System.Buffers.Binary;

namespace Dump.Testing.Renaming;

/// <summary>
/// An ELF core whose notes list the threads in another order; nothing else changes. A thread's notes begin with its NT_PRSTATUS, and no order of threads is
/// promised (Linux fs/binfmt_elf.c, fill_note_info, writes the one that caused the dump first; the runtime's createdump writes them as /proc lists them).
/// </summary>
public static class PermutedCore
{
    private const uint NoteSegment = 4;
    private const uint ThreadStatus = 1;
    private static readonly uint[] s_ofProcess = [3, 6, 0x46494C45]; // NT_PRPSINFO, NT_AUXV, NT_FILE

    /// <summary>Copies a core and changes the copy.</summary>
    /// <param name="core">Path of the core.</param>
    /// <param name="copy">Path of the copy.</param>
    /// <param name="random">Decides the order.</param>
    /// <returns>How many threads changed places.</returns>
    public static int Write(string core, string copy, Random random)
    {
        File.Copy(core, copy);
        using FileStream file = new(copy, FileMode.Open, FileAccess.ReadWrite);
        (long at, byte[] notes) = Notes(file);
        (int Start, int End)[] groups = [.. Groups(notes)];
        (int Start, int End)[] alike = [.. groups.Where(g => g.End - g.Start == groups[0].End - groups[0].Start)];
        byte[][] contents = [.. alike.Select(g => notes[g.Start..g.End])];
        random.Shuffle(contents);
        for (int i = 0; i < alike.Length; i++)
        {
            contents[i].CopyTo(notes, alike[i].Start);
        }

        file.Position = at;
        file.Write(notes);
        return alike.Length;
    }

    /// <summary>The notes of each thread.</summary>
    private static IEnumerable<(int Start, int End)> Groups(byte[] notes)
    {
        int start = -1, at = 0;
        while (at + 12 <= notes.Length)
        {
            int name = BinaryPrimitives.ReadInt32LittleEndian(notes.AsSpan(at)), size = BinaryPrimitives.ReadInt32LittleEndian(notes.AsSpan(at + 4));
            uint type = BinaryPrimitives.ReadUInt32LittleEndian(notes.AsSpan(at + 8));
            if (start >= 0 && (type == ThreadStatus || s_ofProcess.Contains(type)))
            {
                yield return (start, at);
                start = -1;
            }

            start = type == ThreadStatus ? at : start;
            at += 12 + ((name + 3) & ~3) + ((size + 3) & ~3);
        }

        if (start >= 0)
        {
            yield return (start, at);
        }
    }

    private static (long At, byte[] Bytes) Notes(FileStream file)
    {
        byte[] header = new byte[64];
        file.ReadExactly(header);
        long table = BinaryPrimitives.ReadInt64LittleEndian(header.AsSpan(32));
        int entry = BinaryPrimitives.ReadUInt16LittleEndian(header.AsSpan(54)), count = BinaryPrimitives.ReadUInt16LittleEndian(header.AsSpan(56));
        byte[] segment = new byte[entry];
        for (int i = 0; i < count; i++)
        {
            file.Position = table + (i * entry);
            file.ReadExactly(segment);
            if (BinaryPrimitives.ReadUInt32LittleEndian(segment) == NoteSegment)
            {
                byte[] notes = new byte[BinaryPrimitives.ReadInt64LittleEndian(segment.AsSpan(32))];
                file.Position = BinaryPrimitives.ReadInt64LittleEndian(segment.AsSpan(8));
                long at = file.Position;
                file.ReadExactly(notes);
                return (at, notes);
            }
        }

        throw new InvalidDataException($"{file.Name} has no notes.");
    }
}
