using Dump.Fuzz.Inputs;
using Dump.Fuzz.Oracles;
using Dump.Model.Process;
using Dump.Readers;
using Dump.Readers.ElfCore;
using Dump.Readers.Linux;
using Dump.Testing.Synthetic;

namespace Dump.Fuzz.Targets;

/// <summary>Linux cores from the bytes to the printed report: notes, threads, mapped files, native stacks, locks, verdicts.</summary>
internal sealed class ElfCoreTarget : FuzzTarget, IDisposable
{
    private const ulong Library = 0x7F00_0000_0000;
    private const ulong Stack = 0x7FFE_0000_0000;
    private const ulong Mutex = Stack + 0x800;

    // A frame may be as little as a word of a stack, and threads may share one: 200,000 frames are walked at most. Each is printed twice.
    private const long BytesOfFrame = 6 << 10;
    private const int Ip = 16;
    private const int Sp = 19;
    private const int Call = 15;
    private readonly ScratchFile _file = new();
    private int _frames;
    private readonly Sample[] _samples = [Sample.Of("small", Small()), Sample.Of("three threads", ThreeThreads())];

    public ElfCoreTarget()
        : base("elf-core", "Linux cores, whole analysis")
    {
    }

    /// <summary>One thread in futex(2) without a time limit, one mapped file, one page of memory of which half is in the file.</summary>
    /// <param name="owner">Owner of a further note; null for none.</param>
    /// <param name="file">The mapped file.</param>
    /// <param name="programHeaders">Where the program's headers lie; 0 for unknown.</param>
    public static byte[] Small(string? owner = null, string file = "/usr/lib/libc.so.6", ulong programHeaders = 0) => FakeElfCore.Of(
        [
            .. FakeElfCore.Thread(4711, (Call, 202), (Ip, 0x7000)), .. FakeElfCore.Files((0x7000, 0x8000, 3, file)),
            .. owner is null ? [] : FakeElfCore.Note(0x202, [1, 2, 3, 4], owner),
            .. programHeaders == 0 ? [] : FakeElfCore.Note(6, FakeElfCore.Words(3, programHeaders, 0, 0)),
        ],
        (0x7000, [.. Enumerable.Range(0, 0x80).Select(i => (byte)i)], 0x100));

    /// <inheritdoc/>
    public override byte[] Input(Random random) => ByteMutator.Damage(_samples, random);

    /// <inheritdoc/>
    public override long MostAllocated(int length) => DamageCheck.MostAllocated(length) + BytesOfFrame * _frames;

    /// <inheritdoc/>
    public override string Execute(byte[] input)
    {
        _frames = 0;
        try
        {
            using ElfCoreFile core = ElfCoreFile.Open(_file.Write(input));
            ProcessSnapshot snapshot = LinuxSnapshotReader.Read(core, "fuzz");
            _frames = snapshot.Threads.Sum(t => t.Stack.Frames.Length);
            using StringWriter text = new();
            string outcome = DamageCheck.Judge(snapshot, text);
            Oracle.IsHarmless(text.ToString());
            return $"{outcome} {core.Writer} {core.Segments.Count}";
        }
        catch (InvalidDumpException error)
        {
            return Oracle.IsSentence(error.Message);
        }
    }

    public void Dispose() => _file.Dispose();

    /// <summary>Three threads in a library with unwind information: one waits for a word on its stack, one sleeps, one runs; and what a crash adds.</summary>
    private static byte[] ThreeThreads()
    {
        byte[] library = ElfSamples.Library();
        byte[] stack = new byte[0x1000];
        for (int at = 0; at < stack.Length; at += 16)
        {
            BitConverter.GetBytes(Stack + (ulong)at + 0x40).CopyTo(stack, at);
            BitConverter.GetBytes(Library + ElfSamples.Code + (ulong)(at % 0xC0)).CopyTo(stack, at + 8);
        }

        // The words of a mutex: locked with waiters, its owner, who uses it, its kind (glibc, struct __pthread_mutex_s).
        new ByteWriter().UInt32(2).UInt32(0).UInt32(4712).UInt32(1).UInt32(1).ToArray().CopyTo(stack, 0x800);
        byte[] information = new byte[136];
        BitConverter.GetBytes(4711).CopyTo(information, 24);
        "shop"u8.CopyTo(information.AsSpan(40));
        "/app/shop --serve"u8.CopyTo(information.AsSpan(56));
        byte[] signal = new byte[128];
        signal[0] = 11;
        return FakeElfCore.Of(
            [
                .. FakeElfCore.Note(3, information),
                .. FakeElfCore.Thread(
                    4711, (Call, 202), (10, unchecked((ulong)-512)), (Ip, Library + ElfSamples.Code + 0x20), (Sp, Stack + 0x100), (14, Mutex), (13, 128)),
                .. FakeElfCore.Note(0x53494749, signal),
                .. FakeElfCore.Thread(4712, (Call, 35), (Ip, Library + ElfSamples.Code + 0x50), (Sp, Stack + 0x200)),
                .. FakeElfCore.Thread(4713, (Call, ulong.MaxValue), (Ip, Library + ElfSamples.Code + 0x90), (Sp, Stack + 0x300)),
                .. FakeElfCore.Note(6, FakeElfCore.Words(3, Library + 64, 33, Library, 31, Stack + 0xF00, 0, 0)),
                .. FakeElfCore.Files((Library, Library + 0x2000, 0, "/app/libwork.so"), (Stack, Stack + 0x1000, 0, "[stack]")),
            ],
            (Library, library, 0x2000), (Stack, stack, 0x1000));
    }
}
