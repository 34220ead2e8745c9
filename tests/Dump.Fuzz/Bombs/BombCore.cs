using System.Globalization;
using Dump.Fuzz.Shipped;
using Dump.Testing.Synthetic;

namespace Dump.Fuzz.Bombs;

/// <summary>A core of threads that each stand in an image, whose files lie beside it.</summary>
/// <param name="number">Number of the input, which is in the paths of its images.</param>
internal sealed class BombCore(long number)
{
    /// <summary>Where the first image lies.</summary>
    public const ulong FirstImage = 0x7000_0000_0000;

    private const ulong Apart = 0x1_0000_0000;
    private const ulong FirstStack = 0x7FFE_0000_0000;
    private const int Ip = 16;
    private const int Sp = 19;
    private const int Call = 15;
    private const int FirstArgument = 14;
    private const int Futex = 202;
    private readonly List<(string Path, byte[] Bytes)> _files = [];
    private readonly List<byte> _threads = [];
    private readonly List<(ulong Address, byte[] Bytes, ulong Size)> _memory = [];
    private readonly List<(ulong Start, ulong End, ulong Page, string Path)> _mapped = [];
    private uint _thread = 4711;

    /// <summary>Adds an image.</summary>
    /// <param name="file">Its file; the head of it is in the core.</param>
    /// <param name="name">Its name.</param>
    /// <returns>Where it lies.</returns>
    public ulong Image(byte[] file, string name)
    {
        ulong at = FirstImage + ((ulong)_mapped.Count * Apart);
        string path = string.Create(CultureInfo.InvariantCulture, $"bomb/{number}/{_mapped.Count}/{name}");
        _mapped.Add((at, at + BombImage.Code + BombImage.CodeSize, 0, "/" + path));
        _memory.Add((at, file[..BombImage.Head], BombImage.Head));
        _files.Add((path, file));
        return at;
    }

    /// <summary>Adds images without files, beside each other, with a thread in each and with bytes behind them.</summary>
    public void Heads(IReadOnlyList<byte[]> heads, byte[] behind)
    {
        _memory.Add((FirstImage, [.. heads.SelectMany(h => h), .. behind], (ulong)((heads.Count * BombImage.Head) + behind.Length)));
        for (int i = 0; i < heads.Count; i++)
        {
            ulong at = FirstImage + ((ulong)i * BombImage.Head);
            _mapped.Add((at, at + BombImage.Head, 0, string.Create(CultureInfo.InvariantCulture, $"/bomb/{number}/lib{i}.so")));
            ThreadAt(at + 0x20, FirstStack);
        }
    }

    /// <summary>Adds a thread that waits for a word.</summary>
    /// <param name="address">Where it stands.</param>
    /// <param name="stack">Words of its stack.</param>
    public void Thread(ulong address, params ReadOnlySpan<ulong> stack)
    {
        ulong at = FirstStack + ((ulong)_memory.Count * 0x10_0000);
        if (stack.Length > 0)
        {
            _memory.Add((at, BombImage.Words(stack), (ulong)stack.Length * sizeof(ulong)));
        }

        ThreadAt(address, at);
    }

    /// <summary>Adds a thread on a stack that is there.</summary>
    public void ThreadAt(ulong address, ulong stackPointer) =>
        _threads.AddRange(FakeElfCore.Thread(_thread++, (Call, Futex), (Ip, address), (Sp, stackPointer), (FirstArgument, stackPointer + 8)));

    /// <summary>The stack that was added last.</summary>
    public ulong LastStack => _memory[^1].Address;

    /// <summary>The input.</summary>
    public ProgramInput Input() =>
        new(FakeElfCore.Of([.. _threads, .. FakeElfCore.Files([.. _mapped])], [.. _memory.OrderBy(m => m.Address)]), IsCore: true) { Images = _files };
}
