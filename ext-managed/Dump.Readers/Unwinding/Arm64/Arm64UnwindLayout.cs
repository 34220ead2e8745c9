namespace Dump.Readers.Unwinding.Arm64;

/// <summary>
/// First bytes of ARM64 unwind codes and the frames that some of them describe. Sources: Microsoft's "ARM64 exception
/// handling" documentation (unwind codes); for the code that saves any register and for the trap frame the unwinder of
/// the .NET runtime (src/coreclr/unwinder/arm64). The frames of the kernel are unverified: no dump with one has been met.
/// </summary>
internal static class Arm64UnwindLayout
{
    public const int AllocationUnit = 16;

    // One byte.
    public const int SaveR19R20 = 0x20;
    public const int SaveFrameAndLink = 0x40;
    public const int SaveFrameAndLinkIndexed = 0x80;

    // Two bytes.
    public const int FirstDouble = 0xC0;
    public const int SavePair = 0xC8;
    public const int SavePairIndexed = 0xCC;
    public const int SaveOne = 0xD0;
    public const int SaveOneIndexed = 0xD4;
    public const int SaveLinkPair = 0xD6;
    public const int SaveVectorPair = 0xD8;
    public const int SaveVectorPairIndexed = 0xDA;
    public const int SaveVector = 0xDC;
    public const int SaveVectorIndexed = 0xDE;

    // Each of its own size.
    public const int FirstOther = 0xE0;
    public const int AllocateLarge = 0xE0;
    public const int SetFrame = 0xE1;
    public const int AddFrame = 0xE2;
    public const int Nothing = 0xE3;
    public const int End = 0xE4;
    public const int EndChained = 0xE5;
    public const int SaveNext = 0xE6;
    public const int SaveAny = 0xE7;
    public const int TrapFrame = 0xE8;
    public const int MachineFrame = 0xE9;
    public const int Context = 0xEA;
    public const int ClearUnwoundToCall = 0xEC;
    public const int FirstReserved = 0xF8;
    public const int SignReturnAddress = 0xFC;

    // KTRAP_FRAME.
    public const int TrapFrameSp = 0x98;
    public const int TrapFrameX0 = 0xA0;
    public const int TrapFrameRegisters = 19;
    public const int TrapFrameLr = 0x138;
    public const int TrapFrameFp = 0x140;
    public const int TrapFramePc = 0x148;

    // A machine frame: stack pointer, program counter.
    public const int MachineFramePc = 8;

    // CONTEXT.ContextFlags: the program counter is the return address of a call.
    public const uint UnwoundToCall = 0x2000_0000;
}
