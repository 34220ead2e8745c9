namespace Dump.Readers.Minidump;

/// <summary>Offsets in saved CONTEXT structures. Source: the CONTEXT definitions of the Windows SDK (winnt.h).</summary>
internal static class ContextLayout
{
    public const int X64Size = 0x4D0;
    public const int X64Flags = 0x30;
    public const int X64FirstRegister = 0x78;
    public const int X64Rip = 0xF8;
    public const int X86Size = 0xCC;
    public const int X86Edi = 0x9C;
    public const int X86Esi = 0xA0;
    public const int X86Ebx = 0xA4;
    public const int X86Edx = 0xA8;
    public const int X86Ecx = 0xAC;
    public const int X86Eax = 0xB0;
    public const int X86Ebp = 0xB4;
    public const int X86Flags = 0;
    public const int X86Eip = 0xB8;
    public const int X86Esp = 0xC4;
    public const int Arm64Size = 0x390;
    public const int Arm64Flags = 0;
    public const int Arm64FirstRegister = 8;
    public const int Arm64Sp = 0x100;
    public const int Arm64Pc = 0x108;
    public const int MaximumSize = 0x10000;
}
