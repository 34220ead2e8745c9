using System.Globalization;
using Dump.Fuzz.Inputs;
using Dump.Fuzz.Shipped;
using Dump.Testing.Synthetic;

namespace Dump.Fuzz.Kinds;

/// <summary>
/// Linux cores made by hand, with their libraries (one of them called libc.so.6) and separate debug files beside them: all of them may be damaged. A build id
/// mostly stays, because a file of another one is not read.
/// </summary>
internal sealed class CoreKind() : ProgramKind("core", together: 200)
{
    private const ulong FirstImage = 0x7F00_0000_0000;
    private const ulong Apart = 0x10_0000;
    private const ulong Stack = 0x7FFE_0000_0000;
    private const int BuildIdAt = 0x1C0 + 16;
    private const int BuildIdSize = 8;
    private const int Ip = 16;
    private const int Sp = 19;
    private const int Call = 15;
    private const int FirstArgument = 14;
    private static readonly string[] s_names = ["libc.so.6", "app", "libwork.so", "ld-linux-x86-64.so.2"];
    private static readonly ulong[] s_calls = [202, 35, 0, 7, 61, ulong.MaxValue];
    private readonly Sample _library = Sample.Of("library", ElfSamples.Library());

    /// <inheritdoc/>
    public override ProgramInput Make(Random random, long number)
    {
        int images = 1 + random.Next(s_names.Length);
        List<(string Path, byte[] Bytes)> files = [];
        List<(string BuildId, byte[] Bytes)> debugFiles = [];
        List<(ulong Address, byte[] Bytes, ulong Size)> memory = [];
        List<(ulong Start, ulong End, ulong Page, string Path)> mapped = [];
        for (int i = 0; i < images; i++)
        {
            byte[] id = new byte[BuildIdSize];
            random.NextBytes(id);
            byte[] file = WithId(_library.Bytes, id);
            ulong at = FirstImage + ((ulong)i * Apart);
            string path = string.Create(CultureInfo.InvariantCulture, $"fuzz/{number}/{s_names[i]}");
            mapped.Add((at, at + 0x2000, 0, "/" + path));
            memory.Add((at, file[..(random.Next(3) == 0 ? file.Length : 0x200)], 0x2000));
            files.Add((path, Maybe(file, id, random)));
            if (random.Next(2) == 0)
            {
                byte[] debugFile = FakeElf.DebugFile(id, ("work", ElfSamples.Code, 0x40), ("pthread_mutex_lock", ElfSamples.Code + 0x40, 0x40));
                debugFiles.Add((Convert.ToHexStringLower(id), random.Next(2) == 0 ? debugFile : ByteMutator.Damage([Sample.Of("debug file", debugFile)], random)));
            }
        }

        byte[] core = Core(random, images, memory, mapped);
        return new ProgramInput(random.Next(2) == 0 ? core : ByteMutator.Damage([Sample.Of("core", core)], random), IsCore: true)
        {
            Images = files,
            DebugFiles = debugFiles,
        };
    }

    private static byte[] Core(
        Random random, int images, List<(ulong Address, byte[] Bytes, ulong Size)> memory, List<(ulong Start, ulong End, ulong Page, string Path)> mapped)
    {
        byte[] stack = new byte[0x400];
        for (int at = 0; at < stack.Length; at += 16)
        {
            BitConverter.GetBytes(Stack + (ulong)at + 0x40).CopyTo(stack, at);
            BitConverter.GetBytes(Place(random, images)).CopyTo(stack, at + 8);
        }

        new ByteWriter().UInt32(2).UInt32(0).UInt32(4712).UInt32(1).UInt32(random.Next(5)).ToArray().CopyTo(stack, 0x200);
        List<byte> notes = [];
        for (uint i = 0; i < 1 + random.Next(4); i++)
        {
            notes.AddRange(FakeElfCore.Thread(4711 + i, (Call, s_calls[random.Next(s_calls.Length)]), (10, unchecked((ulong)-512)), (Ip, Place(random, images)),
                (Sp, Stack + (i * 0x40)), (FirstArgument, Stack + 0x200), (13, (ulong)random.Next(14))));
        }

        return FakeElfCore.Of(
            [.. notes, .. FakeElfCore.Note(6, FakeElfCore.Words(3, FirstImage + 64, 33, FirstImage, 31, Stack + 0x300, 0, 0)), .. FakeElfCore.Files([.. mapped])],
            [.. memory, (Stack, stack, 0x400)]);
    }

    private static ulong Place(Random random, int images) =>
        FirstImage + ((ulong)random.Next(images) * Apart) + ElfSamples.Code + (ulong)random.Next(3 * ElfSamples.FunctionSize);

    private static byte[] WithId(byte[] library, byte[] id)
    {
        byte[] file = [.. library];
        id.CopyTo(file, BuildIdAt);
        return file;
    }

    private static byte[] Maybe(byte[] file, byte[] id, Random random)
    {
        if (random.Next(3) == 0)
        {
            return file;
        }

        byte[] damaged = ByteMutator.Damage([Sample.Of("library", file)], random);
        if (damaged.Length > BuildIdAt + BuildIdSize && random.Next(8) > 0)
        {
            file.AsSpan(BuildIdAt - 16, 16 + BuildIdSize).CopyTo(damaged.AsSpan(BuildIdAt - 16));
        }

        return damaged;
    }
}
