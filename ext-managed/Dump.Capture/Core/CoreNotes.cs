using System.Buffers.Binary;
using System.Text;
using Dump.Capture.Proc;
using Dump.Capture.Tracing;
using Dump.Model.Process;
using Dump.Readers.Elf;
using Dump.Readers.ElfCore;
using Dump.Readers.Files;

namespace Dump.Capture.Core;

/// <summary>Writes the notes of a core as a kernel does (Linux fs/binfmt_elf.c), and one of our own with the moment of the capture.</summary>
internal sealed class CoreNotes(CoreMoment moment)
{
    private const ulong PageSize = 4096;
    private readonly MemoryStream _bytes = new();

    /// <summary>All notes.</summary>
    public byte[] Write()
    {
        bool isFirst = true;
        foreach (StoppedThread thread in moment.Threads.OrderByDescending(t => t.Id == moment.FirstThread).ThenBy(t => t.Id))
        {
            Add("CORE", ElfCoreLayout.NoteThreadStatus, ThreadStatus(thread, isFirst));
            if (isFirst)
            {
                Add("CORE", ElfCoreLayout.NoteProcessInformation, ProcessInformation());
                Add("CORE", ElfCoreLayout.NoteAuxiliaryVector, moment.AuxiliaryVector);
                Add("CORE", ElfCoreLayout.NoteMappedFiles, MappedFiles());
                Add(ElfCoreLayout.CaptureOwner, ElfCoreLayout.NoteCapture, Capture());
                Add(ElfCoreLayout.CaptureOwner, ElfCoreLayout.NoteThreads, Counted());
            }

            OfArm64(thread);
            isFirst = false;
        }

        return _bytes.ToArray();
    }

    private byte[] ThreadStatus(StoppedThread thread, bool isFirst)
    {
        byte[] status = new byte[LinuxMachine.OfThisProcess.StatusSize];
        TaskStat? stat = isFirst ? moment.Sample.Process : moment.Sample.Of(thread.Id)?.Stat;
        Put(status, ElfCoreLayout.StatusThreadId, thread.Id);
        Put(status, ElfCoreLayout.StatusParentId, (uint)moment.Sample.Process.Parent);
        Put(status, ElfCoreLayout.StatusGroupId, (uint)moment.Sample.Process.Group);
        Put(status, ElfCoreLayout.StatusSessionId, (uint)moment.Sample.Process.Session);
        Put(status, ElfCoreLayout.StatusUserTime, stat?.User ?? TimeSpan.Zero);
        Put(status, ElfCoreLayout.StatusSystemTime, stat?.System ?? TimeSpan.Zero);
        if (thread.Registers.Count == 0 && LinuxMachine.OfThisProcess.TellsCall)
        {
            // Zero would be a system call.
            BinaryPrimitives.WriteInt64LittleEndian(status.AsSpan(ElfCoreLayout.StatusRegisters + ElfCoreLayout.RegisterOriginalRax * sizeof(ulong)), -1);
        }

        for (int i = 0; i < thread.Registers.Count; i++)
        {
            BinaryPrimitives.WriteUInt64LittleEndian(status.AsSpan(ElfCoreLayout.StatusRegisters + i * sizeof(ulong)), thread.Registers[i]);
        }

        return status;
    }

    /// <summary>What the registers of ARM64 lack, in the kernel's own notes (arch/arm64/kernel/ptrace.c).</summary>
    private void OfArm64(StoppedThread thread)
    {
        if (thread.ThreadPointer is { } pointer)
        {
            Add("LINUX", ElfCoreLayout.NoteArm64ThreadPointer, BitConverter.GetBytes(pointer));
        }

        if (thread.AuthenticationMask is { } mask)
        {
            Add("LINUX", ElfCoreLayout.NoteArm64AuthenticationMask, [.. BitConverter.GetBytes(mask), .. BitConverter.GetBytes(mask)]);
        }

        if (!LinuxMachine.OfThisProcess.TellsCall && thread.Call is { Number: >= 0 } call)
        {
            Add("LINUX", ElfCoreLayout.NoteArm64SystemCall, BitConverter.GetBytes((int)call.Number));
        }
    }

    private byte[] ProcessInformation()
    {
        byte[] information = new byte[ElfCoreLayout.ProcessInformationSize];
        TaskStat process = moment.Sample.Process;
        BinaryPrimitives.WriteUInt64LittleEndian(information.AsSpan(ElfCoreLayout.ProcessFlags), process.Flags ?? 0);
        Put(information, ElfCoreLayout.ProcessUserId, moment.UserId);
        Put(information, ElfCoreLayout.ProcessId, moment.FirstThread);
        Put(information, ElfCoreLayout.ProcessParentId, (uint)process.Parent);
        Put(information, ElfCoreLayout.ProcessGroupId, (uint)process.Group);
        Put(information, ElfCoreLayout.ProcessSessionId, (uint)process.Session);
        Copy(Encoding.UTF8.GetBytes(process.Name), information.AsSpan(ElfCoreLayout.ProcessFileName, ElfCoreLayout.ProcessFileNameLength));
        byte[] arguments = [.. moment.CommandLine.Select(b => b == 0 ? (byte)' ' : b)];
        Copy(arguments, information.AsSpan(ElfCoreLayout.ProcessArguments, ElfCoreLayout.ProcessArgumentsLength));
        return information;
    }

    private byte[] MappedFiles()
    {
        // Whoever looks for the runtime takes the first file of its name; one that is only read is none.
        HashSet<FileIdentity> code = [.. moment.Mappings.Where(m => m.IsCode).Select(m => m.File)];
        MemoryMapping[] files = [.. moment.Mappings.Where(m => m.IsFile && (!ClrLibrary.Is(m.Path) || code.Contains(m.File)))];
        using MemoryStream note = new();
        Span<byte> word = stackalloc byte[sizeof(ulong)];
        foreach (ulong value in (ulong[])[(ulong)files.Length, PageSize, .. files.SelectMany(f => (ulong[])[f.Start, f.End, f.FileOffset / PageSize])])
        {
            BinaryPrimitives.WriteUInt64LittleEndian(word, value);
            note.Write(word);
        }

        foreach (MemoryMapping file in files)
        {
            note.Write(Encoding.UTF8.GetBytes(file.Path));
            note.WriteByte(0);
        }

        return note.ToArray();
    }

    private byte[] Capture()
    {
        byte[] capture = new byte[ElfCoreLayout.CaptureSize];
        BinaryPrimitives.WriteInt64LittleEndian(capture.AsSpan(ElfCoreLayout.CaptureMoment),
            (moment.Captured - DateTime.UnixEpoch).Ticks / TimeSpan.TicksPerMillisecond);
        BinaryPrimitives.WriteInt64LittleEndian(capture.AsSpan(ElfCoreLayout.CaptureProcessStart), (long)moment.Sample.Process.Started.TotalMilliseconds);
        return capture;
    }

    /// <summary>The kernel's own note has the whole process' time in the place of the first thread's, and no switches.</summary>
    private byte[] Counted()
    {
        byte[] counted = new byte[moment.Sample.Threads.Count * ElfCoreLayout.CountedThreadSize];
        Span<byte> rest = counted;
        foreach (TaskSample thread in moment.Sample.Threads)
        {
            SwitchCount? switches = moment.Sample.SwitchesSince(moment.Before, thread.Id);
            BinaryPrimitives.WriteInt64LittleEndian(rest[ElfCoreLayout.CountedThreadId..], thread.Id);
            BinaryPrimitives.WriteInt64LittleEndian(rest[ElfCoreLayout.CountedUserTime..], thread.Stat.User.Ticks);
            BinaryPrimitives.WriteInt64LittleEndian(rest[ElfCoreLayout.CountedSystemTime..], thread.Stat.System.Ticks);
            BinaryPrimitives.WriteInt64LittleEndian(rest[ElfCoreLayout.CountedSwitchesBeforeStop..], switches?.BeforeStop ?? -1);
            BinaryPrimitives.WriteInt64LittleEndian(rest[ElfCoreLayout.CountedSwitchesAtStop..], switches?.AtStop ?? -1);
            rest = rest[ElfCoreLayout.CountedThreadSize..];
        }

        return counted;
    }

    private void Add(string owner, uint type, byte[] content)
    {
        byte[] header = new byte[ElfCoreLayout.NoteHeaderSize];
        byte[] name = [.. Encoding.ASCII.GetBytes(owner), 0];
        Put(header, 0, (uint)name.Length);
        Put(header, 4, (uint)content.Length);
        Put(header, 8, type);
        _bytes.Write(header);
        foreach (byte[] part in (byte[][])[name, content])
        {
            _bytes.Write(part);
            _bytes.Write(new byte[-part.Length & 3]);
        }
    }

    /// <summary>Copies text and leaves a zero behind it.</summary>
    private static void Copy(ReadOnlySpan<byte> text, Span<byte> target) => text[..Math.Min(text.Length, target.Length - 1)].CopyTo(target);

    private static void Put(byte[] target, int offset, uint value) => BinaryPrimitives.WriteUInt32LittleEndian(target.AsSpan(offset), value);

    private static void Put(byte[] target, int offset, TimeSpan time)
    {
        BinaryPrimitives.WriteInt64LittleEndian(target.AsSpan(offset), time.Ticks / TimeSpan.TicksPerSecond);
        BinaryPrimitives.WriteInt64LittleEndian(target.AsSpan(offset + sizeof(long)), time.Ticks % TimeSpan.TicksPerSecond / TimeSpan.TicksPerMicrosecond);
    }
}
