using System.ComponentModel;
using Dump.Model.Process;
using Dump.Readers.Elf;
using Dump.Readers.ElfCore;
using Dump.Readers.Linux.Stacks;
using Dump.Readers.Minidump;
using Dump.Testing;

namespace Dump.Readers.Tests.Fuzz;

/// <summary>
/// Programs whose headers, dynamic tables, symbols and call-frame information are damaged, as a hostile core or file has them: nothing is thrown, walks end,
/// and stack pointers rise from frame to frame.
/// </summary>
public sealed class ElfImageFuzzTests
{
    private const ulong Base = 0x5555_0000_0000;
    private const ulong Stack = 0x7FFF_0000_0000;
    private const int StackSize = 0x2000;
    private const int Rounds = 300;
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(5);
    private static readonly Lazy<byte[]?> s_program = new(Compile);

    public static TheoryData<int> Seeds => [.. Enumerable.Range(0, 8)];

    [SkippableTheory]
    [MemberData(nameof(Seeds))]
    public void Damaged_images_end_within_limits(int seed)
    {
        Skip.If(s_program.Value is null, "needs gcc");
        Random random = new(seed);
        (byte[] loaded, (int Start, int Length)[] parts) = Loaded(s_program.Value!);
        for (int round = 0; round < Rounds; round++)
        {
            byte[] memory = [.. loaded], file = [.. s_program.Value!], stack = new byte[StackSize];
            for (int changes = random.Next(1, 9); changes > 0; changes--)
            {
                // Headers, and the beginnings of tables, are where damage leads far.
                byte[] target = random.Next(3) == 0 ? file : memory;
                (int start, int length) = target == file || random.Next(3) == 0 ? (0, random.Next(2) == 0 ? 0x400 : target.Length)
                    : parts[random.Next(parts.Length)];
                target[start + random.Next(Math.Min(length, target.Length - start))] ^= (byte)(1 << random.Next(8));
            }

            Fill(stack, random, loaded.Length);
            Read(new Process(memory, stack), file, random);
        }
    }

    private static void Read(Process process, byte[] file, Random random)
    {
        using ElfImage? image = ElfImage.Read(process, Base, _ => FileBytes.Wrap(file));
        if (image is null)
        {
            return;
        }

        LoadedImage loaded = new(image);
        for (int i = 0; i < 50; i++)
        {
            ulong address = Base + (ulong)random.Next(0x5000);
            _ = loaded.Symbols.Find(address);
            _ = loaded.Unwinding(address);
            _ = loaded.LineOf(address);
        }

        using ElfImages images = new(process, new ElfMappedFiles([new ElfMappedFile(Base, Base + (ulong)process.Size, 0, "/program")]));
        LinuxStackWalker walker = new(process, images);
        for (int i = 0; i < 20; i++)
        {
            ulong[] registers = new ulong[27];
            Array.Fill(registers, Stack + (ulong)random.Next(StackSize));
            (registers[16], registers[19]) = (Base + (ulong)random.Next(0x5000), Stack + (ulong)(random.Next(StackSize / 2) & ~7));
            (ThreadStack walked, _) = walker.Walk(new ElfThread(1, 0, TimeSpan.Zero, TimeSpan.Zero, registers), 500);
            Assert.InRange(walked.Frames.Length, 1, 500);
            Assert.Equal(walked.Frames.Select(f => f.StackPointer).Distinct().Order(), walked.Frames.Select(f => f.StackPointer));
        }
    }

    /// <summary>Return addresses into the program, places on the stack and other numbers.</summary>
    private static void Fill(byte[] stack, Random random, int size)
    {
        for (int at = 0; at < stack.Length; at += sizeof(ulong))
        {
            ulong value = random.Next(3) switch
            {
                0 => Base + (ulong)random.Next(size),
                1 => Stack + (ulong)random.Next(StackSize),
                _ => (ulong)random.NextInt64(),
            };
            BitConverter.TryWriteBytes(stack.AsSpan(at), value);
        }
    }

    /// <summary>The program as it lies in memory, and where its loaded parts do.</summary>
    private static (byte[] Memory, (int Start, int Length)[] Parts) Loaded(byte[] file)
    {
        List<(int Start, int Offset, int Length)> loads = [];
        int table = (int)BitConverter.ToUInt64(file, 32), count = BitConverter.ToUInt16(file, 56);
        for (int i = 0; i < count; i++)
        {
            int header = table + (i * 56);
            if (BitConverter.ToUInt32(file, header) == 1)
            {
                loads.Add((Number(header + 16), Number(header + 8), Number(header + 32)));
            }
        }

        int Number(int at) => (int)BitConverter.ToUInt64(file, at);

        byte[] memory = new byte[(loads.Max(l => l.Start + l.Length) + 0xFFF) & ~0xFFF];
        loads.ForEach(l => file.AsSpan(l.Offset, l.Length).CopyTo(memory.AsSpan(l.Start)));
        return (memory, [.. loads.Select(l => (l.Start, l.Length))]);
    }

    private static byte[]? Compile()
    {
        string directory = Directory.CreateTempSubdirectory("dump-elf-fuzz-").FullName, target = Path.Combine(directory, "program");
        try
        {
            using System.Diagnostics.Process process = System.Diagnostics.Process.Start(
                "gcc", ["-O2", "-g", "-pie", Path.Combine(Repository.Root, "samples", "linux", "musl-hang.c"), "-o", target, "-pthread"]);
            return process.WaitForExit(s_limit) && process.ExitCode == 0 ? File.ReadAllBytes(target) : null;
        }
        catch (Win32Exception)
        {
            return null;
        }
        finally
        {
            Directory.Delete(directory, recursive: true);
        }
    }

    /// <summary>Memory of a process with one program and one stack.</summary>
    private sealed class Process(byte[] program, byte[] stack) : IMemory
    {
        public int Size => program.Length;

        public int Read(ulong address, Span<byte> destination)
        {
            (byte[] bytes, ulong start) = address >= Stack ? (stack, Stack) : (program, Base);
            if (address < start || address - start >= (ulong)bytes.Length)
            {
                return 0;
            }

            int count = Math.Min(destination.Length, bytes.Length - (int)(address - start));
            bytes.AsSpan((int)(address - start), count).CopyTo(destination);
            return count;
        }
    }
}
