namespace Dump.Readers.Pe;

/// <summary>Layout of x64 unwind information. Source: Microsoft's "x64 exception handling" documentation (UNWIND_INFO, UNWIND_CODE).</summary>
internal static class UnwindInfoLayout
{
    public const int HeaderSize = 4;
    public const int PrologSize = 1;
    public const int CodeCount = 2;
    public const int FrameRegister = 3;
    public const int CodeSize = 2;
    public const int VersionMask = 0x7;
    public const int FlagsShift = 3;
    public const int FlagChained = 0x4;
    public const int FrameOffsetScale = 16;

    public const int PushNonvolatile = 0;
    public const int AllocateLarge = 1;
    public const int AllocateSmall = 2;
    public const int SetFrameRegister = 3;
    public const int SaveNonvolatile = 4;
    public const int SaveNonvolatileFar = 5;
    public const int Epilog = 6;
    public const int Spare = 7;
    public const int SaveXmm = 8;
    public const int SaveXmmFar = 9;
    public const int PushMachineFrame = 10;

    // A machine frame as the processor pushes it: instruction pointer, code segment, flags, stack pointer, stack segment.
    public const int MachineFrameStackPointer = 0x18;
}
