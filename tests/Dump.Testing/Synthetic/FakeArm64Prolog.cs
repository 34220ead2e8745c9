namespace Dump.Testing.Synthetic;

/// <summary>How an ARM64 function of a <see cref="FakeImage"/> builds its frame: code, and the unwind information that describes it.</summary>
/// <param name="Code">Instructions before the call.</param>
/// <param name="Epilog">Instructions behind it, to the return.</param>
/// <param name="Size">Bytes of the frame.</param>
/// <param name="LinkOffset">Where the caller's frame pointer and the return address stand, from the stack pointer.</param>
public sealed record FakeArm64Prolog(uint[] Code, uint[] Epilog, int Size, int LinkOffset)
{
    private const uint Call = 0x9400_0010;
    private const int Chained = 3;

    /// <summary><c>stp x29, x30, [sp, #-48]!; mov x29, sp</c>, the frame of most functions.</summary>
    public static FakeArm64Prolog Plain { get; } = new([0xA9BD_7BFD, 0x9100_03FD], [0xA8C3_7BFD, 0xD65F_03C0], 0x30, 0);

    /// <summary><c>stp x19, x20, [sp, #-16]!; stp x29, x30, [sp, #-48]!; mov x29, sp</c>.</summary>
    public static FakeArm64Prolog Keeping { get; } = new(
        [0xA9BF_53F3, 0xA9BD_7BFD, 0x9100_03FD], [0xA8C3_7BFD, 0xA8C1_53F3, 0xD65F_03C0], 0x40, 0) { Kept = 2, Saved = [(19, 0x30), (20, 0x38)] };

    /// <summary><c>sub sp, sp, #64; str x19, [sp, #48]; stp x29, x30, [sp, #16]; add x29, sp, #16</c>, which packed data cannot describe.</summary>
    public static FakeArm64Prolog Full { get; } = new(
        [0xD101_03FF, 0xF900_1BF3, 0xA901_7BFD, 0x9100_43FD], [0xA941_7BFD, 0xF940_1BF3, 0x9101_03FF, 0xD65F_03C0], 0x40, 0x10)
    {
        Codes = [0xE2, 2, 0x42, 0xD0, 6, 4, 0xE4, 0xE3],
        EpilogCode = 2,
        Saved = [(19, 0x30)],
    };

    /// <summary>Number of general registers from X19 on that packed data say to be stored.</summary>
    public int Kept { get; init; }

    /// <summary>Unwind codes of a record, a multiple of four bytes; null for packed data.</summary>
    public byte[]? Codes { get; init; }

    /// <summary>Index of the first code of the epilog.</summary>
    public int EpilogCode { get; init; }

    /// <summary>Number of the registers that the prolog stores, with their offset from the stack pointer behind it.</summary>
    public IReadOnlyList<(int Register, int Offset)> Saved { get; init; } = [];

    /// <summary>Offset of the instruction behind the call.</summary>
    public int ReturnOffset => (Code.Length + 1) * sizeof(uint);

    /// <summary>The function's code.</summary>
    public byte[] ToBytes() => [.. Code.Append(Call).Concat(Epilog).SelectMany(BitConverter.GetBytes)];

    /// <summary>The second word of the directory's entry.</summary>
    /// <param name="record">Relative address of the record, where there is one.</param>
    public uint Data(int record) => Codes is null
        ? 1u | (uint)Length << 2 | (uint)Kept << 16 | Chained << 21 | (uint)(Size / 16) << 23
        : (uint)record;

    /// <summary>The record with one epilog at the function's end; empty for packed data.</summary>
    public byte[] Record() => Codes is null ? [] : [.. BitConverter.GetBytes((uint)Length | 1u << 21 | (uint)EpilogCode << 22 | (uint)(Codes.Length / 4) << 27),
        .. Codes];

    private int Length => Code.Length + 1 + Epilog.Length;
}
