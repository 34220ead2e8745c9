using Dump.Model.Process;

namespace Dump.Readers.Windows.Layouts;

/// <summary>
/// What Visual C++ passes with an exception and keeps in the image that throws: names and order of the fields are those of ehdata.h, which Visual Studio ships.
/// On x64 all pointers in the image are 32-bit distances from its base; on x86 they are addresses.
/// </summary>
internal static class CppThrowLayout
{
    /// <summary>Exception code (<c>0xE0</c> and "msc").</summary>
    public const uint ExceptionCode = 0xE06D7363;

    /// <summary>First parameter of an exception of every compiler since Visual C++ 6 is this or a little more.</summary>
    public const ulong Magic = 0x19930520, LastMagic = 0x1993052F;

    /// <summary>Index of the parameter that points to the <c>ThrowInfo</c>.</summary>
    public const int ThrowInfoParameter = 2;

    /// <summary>Index of the parameter with the image's base; x64 and ARM64 only.</summary>
    public const int ImageBaseParameter = 3;

    /// <summary><c>ThrowInfo.pCatchableTypeArray</c>.</summary>
    public const uint CatchableTypes = 0xC;

    /// <summary>First element of the array, behind its length: the type that was thrown.</summary>
    public const uint FirstCatchableType = 4;

    /// <summary><c>CatchableType.pType</c>.</summary>
    public const uint TypeDescriptor = 4;

    /// <summary>Longest decorated name that is read, in bytes.</summary>
    public const int LongestName = 512;

    /// <summary><c>TypeDescriptor.name</c>, behind two pointers.</summary>
    public static uint Name(ProcessorArchitecture architecture) => 2 * (uint)architecture.PointerSize();
}
