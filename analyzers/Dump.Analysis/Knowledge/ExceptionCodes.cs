using System.Collections.Frozen;

namespace Dump.Analysis.Knowledge;

/// <summary>Exception codes of Windows. Sources: ntstatus.h and winnt.h; the programs named for their own codes.</summary>
internal static class ExceptionCodes
{
    /// <summary>A .NET exception (<c>EXCEPTION_COMPLUS</c>, dotnet/runtime, src/coreclr/inc/corexcep.h).</summary>
    public const uint DotNet = 0xE0434352;

    /// <summary>A .NET Framework exception of version 2 (<c>EXCEPTION_COMPLUS</c> there).</summary>
    public const uint DotNetFramework2 = 0xE0434F4D;

    /// <summary>An exception of Visual C++.</summary>
    public const uint VisualCpp = 0xE06D7363;

    /// <summary>A fast fail, and a stack buffer overrun that the compiler's check has found.</summary>
    public const uint FastFail = 0xC0000409;

    private const uint Breakpoint = 0x80000003;
    private const uint EmulatedBreakpoint = 0x4000001F;

    // Codes by which debuggers and programs stop, or tell something, or have a dump written: nothing has gone wrong.
    private static readonly FrozenSet<uint> s_requests = FrozenSet.Create(
        Breakpoint, EmulatedBreakpoint, // breakpoint; in 32-bit code of a 64-bit system
        0x80000004u, 0x4000001Eu, // single step
        0x80000007u, 0x40010003u, 0x40010004u, // a debugger is woken, or ends a thread or the process
        0x40010005u, 0x40010008u, 0xC000013Au, // Ctrl+C, Ctrl+Break, and the end by them
        0x40010006u, 0x4001000Au, // OutputDebugString
        0x406D1388u, // Visual Studio: a thread gets a name
        0xCFFFFFFFu, // Windows Error Reporting: an application that hangs
        0x0517A7EDu, // Crashpad: a dump without a crash
        0xC0000025u, // Breakpad makes this one up for a dump that its program asks for
        0x04242420u, // .NET tells a debugger that it runs
        0x40080201u, 0x40080202u); // WinRT tells a debugger of an error

    private static readonly FrozenDictionary<uint, string> s_names = new Dictionary<uint, string>
    {
        [0xC0000005] = "access violation",
        [0xC0000006] = "page that could not be read from its file",
        [0xC0000008] = "invalid handle",
        [0xC000000D] = "invalid parameter",
        [0xC0000017] = "lack of memory",
        [0xC000001D] = "illegal instruction",
        [0xC0000026] = "invalid disposition",
        [0xC000008C] = "array index out of bounds",
        [0xC000008E] = "floating-point division by zero",
        [0xC0000090] = "invalid floating-point operation",
        [0xC0000094] = "integer division by zero",
        [0xC0000095] = "integer overflow",
        [0xC0000096] = "privileged instruction",
        [0xC00000FD] = "stack overflow",
        [0xC0000135] = "DLL that was not found",
        [0xC0000139] = "entry point that was not found",
        [0xC0000142] = "DLL that could not be initialised",
        [0xC0000194] = "possible deadlock that critical sections report",
        [0xC0000374] = "heap corruption",
        [FastFail] = "fast fail",
        [0xC0000417] = "invalid parameter of a C runtime function",
        [0xC0000420] = "failed assertion",
        [0xC0000602] = "failure that the program reported itself (RaiseFailFastException)",
        [0xC000041D] = "exception in a callback from the kernel",
        [0xC0020001] = "invalid RPC binding",
        [0x40000015] = "fatal exit that the program reported itself (abort)",
        [0x80000001] = "guard page",
        [Breakpoint] = "breakpoint",
        [EmulatedBreakpoint] = "breakpoint",
        [0x80000002] = "misaligned data",
        [0x80131506] = "internal error of .NET",
        [0x20474343] = "C++ exception of GCC",
        [0xC06D007E] = "DLL that a delay load did not find",
        [0xC06D007F] = "function that a delay load did not find",
        [VisualCpp] = "C++ exception",
        [DotNet] = ".NET exception",
        [DotNetFramework2] = ".NET exception",
    }.ToFrozenDictionary();

    // FAST_FAIL_ of winnt.h: the meaning of the first parameter.
    private static readonly FrozenDictionary<uint, string> s_fastFails = new Dictionary<uint, string>
    {
        [0] = "a stack buffer was overrun",
        [1] = "a call through a corrupted function table",
        [2] = "a stack cookie was overwritten",
        [3] = "a doubly linked list is corrupted",
        [4] = "the stack pointer left its stack",
        [5] = "an invalid argument",
        [7] = "the program ended itself, as abort does",
        [8] = "a loop of exceptions",
        [10] = "a call to a target that control flow guard does not allow",
        [13] = "a red-black tree is corrupted",
        [14] = "a critical section of another thread was deleted or left",
        [27] = "control flow guard's table was corrupted",
        [39] = "a return address did not fit the shadow stack",
    }.ToFrozenDictionary();

    /// <summary>True for a code that says that somebody wanted to stop, to tell something or to have a dump.</summary>
    public static bool IsRequest(uint code) => s_requests.Contains(code);

    /// <summary>True for that of a breakpoint, also in 32-bit code of a 64-bit system.</summary>
    public static bool IsBreakpoint(uint code) => code is Breakpoint or EmulatedBreakpoint;

    /// <summary>True for one that no handler can take: the process ends with it.</summary>
    public static bool AlwaysEnds(uint code) => code is FastFail or 0xC0000602;

    /// <summary>What a code means, without article, or null for one that is not known.</summary>
    public static string? NameOf(uint code) => s_names.GetValueOrDefault(code);

    /// <summary>Why a fast fail was asked for, or null for a reason that is not known.</summary>
    public static string? FastFailReason(uint subcode) => s_fastFails.GetValueOrDefault(subcode);
}
