using System.Buffers.Binary;
using Dump.Readers.Pe;
using Dump.Readers.Registers;
using Dump.Readers.Unwinding;
using Dump.Readers.Unwinding.Arm64;
using Dump.Readers.Unwinding.Frames;

namespace Dump.Fuzz.Processes;

/// <summary>The hand-built process with an ARM64 module: entries of the exception directory have eight bytes.</summary>
internal sealed class HandBuiltArm64Process
{
    private const int Machine = 0x84;
    private const int Directory = 0x400;
    private const int DirectorySize = 0x80 + 24 + 112 + (3 * 8) + 4;
    private const uint Call = 0x9400_0010;
    private readonly HandBuiltProcess _process = new();
    private int _functions;

    public HandBuiltArm64Process()
    {
        BinaryPrimitives.WriteUInt16LittleEndian(_process.Image[Machine..], 0xAA64);
        BinaryPrimitives.WriteUInt32LittleEndian(_process.Image[(DirectorySize - 4)..], Directory);
    }

    /// <summary>The image's bytes.</summary>
    public Span<byte> Image => _process.Image;

    /// <summary>Adds a function with packed unwind data; they must be added in the order of their addresses.</summary>
    public void Function(int begin, uint data)
    {
        Write(Directory + _functions * 8, (uint)begin);
        Write(Directory + _functions * 8 + 4, data);
        Write(DirectorySize, (uint)(++_functions * 8));
    }

    /// <summary>Adds a function with a record of the given header and what follows it.</summary>
    public void Function(int begin, int record, uint header, params ReadOnlySpan<byte> codes)
    {
        Function(begin, (uint)record);
        Write(record, header);
        codes.CopyTo(_process.Image[(record + 4)..]);
    }

    /// <summary>Writes a call, and returns the address behind it.</summary>
    public ulong CallAt(int rva)
    {
        Write(rva, Call);
        return HandBuiltProcess.Base + (ulong)rva + 4;
    }

    /// <summary>Writes a value to the stack.</summary>
    public void Push(ulong address, ulong value) => _process.Push(address, value);

    /// <summary>Removes headers and unwind information, so that only code is left.</summary>
    public void ForgetTables() => _process.Image[..0x1000].Clear();

    /// <summary>Removes the whole image.</summary>
    public void ForgetImage() => _process.WithoutImage();

    /// <summary>Walks.</summary>
    public WalkedStack Walk(in Arm64Registers context) =>
        new Arm64StackWalker(_process, _process, new PeImages(_process, _process))
            .Walk(context, new StackBounds(HandBuiltProcess.StackLimit, HandBuiltProcess.StackBase));

    private void Write(int at, uint value) => BinaryPrimitives.WriteUInt32LittleEndian(_process.Image[at..], value);
}
