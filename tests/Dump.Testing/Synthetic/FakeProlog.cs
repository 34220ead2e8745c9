namespace Dump.Testing.Synthetic;

/// <summary>How a function of a <see cref="FakeImage"/> builds its frame: code, and the unwind codes that describe it.</summary>
/// <param name="Code">Machine code of the prolog.</param>
/// <param name="UnwindCodes">Unwind codes, last instruction first; an even number of bytes.</param>
/// <param name="FrameSize">Bytes between the stack pointer behind the prolog and the return address.</param>
public sealed record FakeProlog(byte[] Code, byte[] UnwindCodes, int FrameSize)
{
    private const int Rbx = 3;
    private const int Rbp = 5;
    private const int Rsi = 6;
    private const int Rdi = 7;

    /// <summary><c>sub rsp, 28h</c>, the frame of most functions.</summary>
    public static FakeProlog Plain { get; } = new([0x48, 0x83, 0xEC, 0x28], [4, 0x42], 0x28);

    /// <summary>
    /// <c>push rbp; push rbx; sub rsp, 30h; lea rbp, [rsp+20h]; sub rsp, 100h</c>: rbp is the frame register, and memory taken from the stack later has no
    /// unwind code.
    /// </summary>
    public static FakeProlog FrameRegister { get; } = new(
        [0x55, 0x53, 0x48, 0x83, 0xEC, 0x30, 0x48, 0x8D, 0x6C, 0x24, 0x20, 0x48, 0x81, 0xEC, 0, 1, 0, 0],
        [11, 0x03, 6, 0x52, 2, Rbx << 4, 1, Rbp << 4],
        0x40)
    {
        CodeSizeWithoutUnwinding = 7,
        FrameRegisterField = 0x25,
        LaterAllocation = 0x100,
        Saved = [(Rbx, 0x30), (Rbp, 0x38)],
    };

    /// <summary><c>push rsi; sub rsp, 1008h</c>: the size stands in one 16-bit slot, counted in eights.</summary>
    public static FakeProlog Large { get; } = new(
        [0x56, 0x48, 0x81, 0xEC, 8, 0x10, 0, 0], [8, 0x01, 1, 2, 1, Rsi << 4], 0x1010) { Saved = [(Rsi, 0x1008)] };

    /// <summary>
    /// The same, and the part of the function behind it has an entry that only leads to the first part's, as 1,562 of Windows 7's ntdll do: its beginning is behind all of
    /// the prolog.
    /// </summary>
    public static FakeProlog Indirect { get; } = Large with { SecondPart = new([], [], 0), IsIndirect = true };

    /// <summary><c>sub rsp, 1408h</c> with the unwind code for sizes from 512 KiB on: a 32-bit size in two slots.</summary>
    public static FakeProlog VeryLarge { get; } = new([0x48, 0x81, 0xEC, 8, 0x14, 0, 0], [7, 0x11, 8, 0x14, 0, 0], 0x1408);

    /// <summary><c>sub rsp, 68h; mov [rsp+50h], rbp; movaps [rsp+30h], xmm6</c>: registers saved by moves.</summary>
    public static FakeProlog SavedByMove { get; } = new(
        [0x48, 0x83, 0xEC, 0x68, 0x48, 0x89, 0x6C, 0x24, 0x50, 0x0F, 0x29, 0x74, 0x24, 0x30],
        [14, 0x68, 3, 0, 9, 0x54, 0xA, 0, 4, 0xC2],
        0x68) { Saved = [(Rbp, 0x50)] };

    /// <summary>
    /// <c>push rbp; sub rsp, 40h</c>, and the part of the function behind it, which has unwind information of its own, begins with <c>mov [rsp+30h], rdi</c>
    /// and is chained to the first part's.
    /// </summary>
    public static FakeProlog Chained { get; } = new([0x55, 0x48, 0x83, 0xEC, 0x40], [5, 0x72, 1, Rbp << 4], 0x48)
    {
        SecondPart = new([0x48, 0x89, 0x7C, 0x24, 0x30], [5, 0x74, 6, 0], 0),
        Saved = [(Rbp, 0x40), (Rdi, 0x30)],
    };

    /// <summary>
    /// <c>push rbp; sub rsp, 60h; lea rbp, [rsp+40h]; mov [rbp+8], rbx; sub rsp, 100h</c>: what is saved by moves counts from the fixed part, wherever the
    /// stack pointer is now.
    /// </summary>
    public static FakeProlog FrameRegisterAndMoves { get; } = new(
        [0x55, 0x48, 0x83, 0xEC, 0x60, 0x48, 0x8D, 0x6C, 0x24, 0x40, 0x48, 0x89, 0x5D, 8, 0x48, 0x81, 0xEC, 0, 1, 0, 0],
        [14, 0x34, 9, 0, 10, 0x03, 5, 0xB2, 1, Rbp << 4],
        0x68)
    {
        CodeSizeWithoutUnwinding = 7,
        FrameRegisterField = 0x45,
        LaterAllocation = 0x100,
        Saved = [(Rbx, 0x48), (Rbp, 0x60)],
    };

    /// <summary><c>push rbx; sub rsp, 30h; lea rbx, [rsp+20h]; sub rsp, 80h</c>: a frame register other than rbp.</summary>
    public static FakeProlog OtherFrameRegister { get; } = new(
        [0x53, 0x48, 0x83, 0xEC, 0x30, 0x48, 0x8D, 0x5C, 0x24, 0x20, 0x48, 0x81, 0xEC, 0x80, 0, 0, 0],
        [10, 0x03, 5, 0x52, 1, Rbx << 4],
        0x38)
    {
        CodeSizeWithoutUnwinding = 7,
        FrameRegisterField = 0x23,
        LaterAllocation = 0x80,
        Saved = [(Rbx, 0x30)],
    };

    /// <summary>Bytes at the end of <see cref="Code"/> that no longer belong to the prolog.</summary>
    public int CodeSizeWithoutUnwinding { get; init; }

    /// <summary>Frame register in the lower, its offset in units of 16 bytes in the upper four bits; 0 for none.</summary>
    public byte FrameRegisterField { get; init; }

    /// <summary>Bytes taken from the stack behind the prolog.</summary>
    public int LaterAllocation { get; init; }

    /// <summary>Number of the registers that the prolog saves, with their offset from the stack pointer behind the prolog.</summary>
    public IReadOnlyList<(int Register, int Offset)> Saved { get; init; } = [];

    /// <summary>Prolog of a second part of the function, chained to this one; null when the function has one part.</summary>
    public FakeProlog? SecondPart { get; init; }

    /// <summary>Whether the second part's entry leads to the first part's entry, and has no unwind information of its own.</summary>
    public bool IsIndirect { get; init; }

    /// <summary>Bytes between the stack pointer at a call and the return address.</summary>
    public int SizeAtCall => FrameSize + LaterAllocation;

    /// <summary>Number of the frame register, or null.</summary>
    public int? Register => FrameRegisterField == 0 ? null : FrameRegisterField & 0xF;

    /// <summary>Distance from the stack pointer at a call to where the frame register points.</summary>
    public int RegisterOffset => LaterAllocation + (FrameRegisterField >> 4) * 16;

    /// <summary>The UNWIND_INFO, without what follows the codes.</summary>
    /// <param name="flags">Its flags: 4 when chained information follows.</param>
    public byte[] UnwindInfo(int flags)
    {
        byte version = (byte)(1 | flags << 3);
        int count = UnwindCodes.Length / 2;
        byte[] padding = count % 2 == 0 ? [] : [0, 0];
        return [version, (byte)(Code.Length - CodeSizeWithoutUnwinding), (byte)count, FrameRegisterField, .. UnwindCodes, .. padding];
    }
}
