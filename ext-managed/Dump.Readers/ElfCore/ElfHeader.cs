using System.Buffers.Binary;
using System.Collections.Frozen;
using System.Globalization;
using Dump.Model.Process;
using Dump.Readers.Minidump;

namespace Dump.Readers.ElfCore;

/// <summary>Reads the ELF header and the program headers.</summary>
internal static class ElfHeader
{
    // Source: the System V ABI's registry of e_machine.
    private static readonly FrozenDictionary<ushort, string> s_machines = new Dictionary<ushort, string>
    {
        [2] = "SPARC", [3] = "i386, 32-bit", [8] = "MIPS", [20] = "PowerPC", [21] = "PowerPC64", [22] = "s390x", [40] = "ARM, 32-bit", [43] = "SPARC64", [62] = "x32",
        [183] = "ARM64", [243] = "RISC-V", [258] = "LoongArch",
    }.ToFrozenDictionary();

    /// <summary>Checks that the file is a core of a process of a machine that is read.</summary>
    /// <exception cref="InvalidDumpException">It is not.</exception>
    public static LinuxMachine Check(FileBytes file, string name)
    {
        Span<byte> head = stackalloc byte[ElfCoreLayout.HeaderSize];
        if (file.Read(0, head) < head.Length)
        {
            throw new InvalidDumpException($"{name}: an ELF file that ends inside its header; was it copied completely?");
        }

        bool isLittle = head[ElfCoreLayout.DataEncoding] == ElfCoreLayout.LittleEndian;
        ushort type = Number(head[ElfCoreLayout.Type..]), machine = Number(head[ElfCoreLayout.Machine..]);
        if (type != ElfCoreLayout.TypeCore)
        {
            throw new InvalidDumpException(
                $"{name}: an ELF program or library, not a core dump; write one with: dotnet-dump collect -p PID, createdump --full PID or gcore PID");
        }

        if (head[ElfCoreLayout.Class] != ElfCoreLayout.Class64 || !isLittle || LinuxMachine.Find(machine) is not { } read)
        {
            string processor = s_machines.GetValueOrDefault(machine, string.Create(CultureInfo.InvariantCulture, $"machine {machine} of the ELF format"));
            bool isOtherOrder = !isLittle && machine is ElfCoreLayout.MachineX64 or ElfCoreLayout.MachineArm64;
            throw Foreign(name, $"{processor}{(head[ElfCoreLayout.Class] == ElfCoreLayout.Class64 || machine is 3 or 40 ? "" : ", 32-bit")}"
                + (isOtherOrder ? ", big-endian" : ""));
        }

        return read;

        ushort Number(ReadOnlySpan<byte> bytes) => isLittle ? BinaryPrimitives.ReadUInt16LittleEndian(bytes) : BinaryPrimitives.ReadUInt16BigEndian(bytes);
    }

    /// <summary>A core that nothing here reads, in one line.</summary>
    public static InvalidDumpException Foreign(string name, string what) =>
        new($"{name}: a core of another kind ({what}), which is not read; this program reads cores of x64 and ARM64 processes on Linux");

    /// <summary>The segments with their types, as far as the file and the limits allow.</summary>
    public static IEnumerable<(uint Type, ElfSegment Segment)> ReadSegments(FileBytes file, ReadLimits limits, List<ReaderProblem> problems)
    {
        ulong table = file.ReadUInt64(ElfCoreLayout.ProgramHeaderOffset) ?? 0;
        ushort entrySize = file.ReadUInt16(ElfCoreLayout.ProgramHeaderEntrySize) ?? 0;
        if (entrySize < ElfCoreLayout.ProgramHeaderSize || table > (ulong)file.Length)
        {
            problems.Add(new ReaderProblem("ELF header", "has no usable program headers", table));
            yield break;
        }

        long claimed = Count(file);
        long count = Math.Min(Math.Min(claimed, (file.Length - (long)table) / entrySize), limits.MaxMemoryRanges);
        if (count < claimed)
        {
            problems.Add(new ReaderProblem("program headers", $"claim {claimed} entries, room for {count}", table));
        }

        int cut = 0;
        bool notesAreCut = false;
        for (long i = 0; i < count; i++)
        {
            long at = (long)table + i * entrySize;
            ulong offset = file.ReadUInt64(at + ElfCoreLayout.SegmentFileOffset) ?? 0;
            ulong size = file.ReadUInt64(at + ElfCoreLayout.SegmentFileSize) ?? 0;
            ulong memory = file.ReadUInt64(at + ElfCoreLayout.SegmentMemorySize) ?? 0;
            uint type = file.ReadUInt32(at + ElfCoreLayout.SegmentType) ?? 0;
            long start = (long)Math.Min(offset, (ulong)file.Length);
            long kept = (long)Math.Min(size, (ulong)(file.Length - start));
            if ((ulong)kept < size)
            {
                cut++;
                notesAreCut |= type == ElfCoreLayout.SegmentNote;
            }

            ulong length = type == ElfCoreLayout.SegmentLoad ? memory : size;
            yield return (type, new ElfSegment(
                file.ReadUInt64(at + ElfCoreLayout.SegmentAddress) ?? 0, length, start, Math.Min(kept, (long)Math.Min(length, long.MaxValue)),
                file.ReadUInt32(at + ElfCoreLayout.SegmentFlags) ?? 0));
        }

        if (cut > 0)
        {
            problems.Add(new ReaderProblem(
                "program headers",
                $"the file was cut: {cut} of {count} segments are not in it or not whole{(notesAreCut ? ", with them the notes that list threads and mapped files" : "")}",
                (ulong)file.Length));
        }
    }

    private static long Count(FileBytes file)
    {
        ushort count = file.ReadUInt16(ElfCoreLayout.ProgramHeaderCount) ?? 0;
        if (count != ElfCoreLayout.ExtendedCount)
        {
            return count;
        }

        ulong sections = file.ReadUInt64(ElfCoreLayout.SectionHeaderOffset) ?? 0;
        return sections is 0 or > long.MaxValue - 64 ? count : file.ReadUInt32((long)sections + ElfCoreLayout.SectionInfo) ?? count;
    }
}
