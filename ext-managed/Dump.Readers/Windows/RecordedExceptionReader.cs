using Dump.Model.Process;
using Dump.Readers.Minidump;
using Dump.Readers.Pe;
using Dump.Readers.Windows.Layouts;
using Dump.Readers.Windows.Process;
using Dump.Readers.Windows.Runtimes;
using Dump.Readers.Windows.Waits;

namespace Dump.Readers.Windows;

/// <summary>Reads what the Exception stream says, with the stack of the moment.</summary>
internal static class RecordedExceptionReader
{
    // The codes and the meaning of their parameters: EXCEPTION_RECORD (winnt.h) and ntstatus.h.
    private const uint AccessViolation = 0xC0000005;
    private const uint InPageError = 0xC0000006;
    private const uint Breakpoint = 0x80000003;
    private const uint EmulatedBreakpoint = 0x4000001F;
    private const uint StackBufferOverrun = 0xC0000409;
    private const int AddressParameter = 1;

    // Guard pages, and the frame of a function that reached over them.
    private const ulong MostBelow = 1 << 16;

    // int3, then ud2 (Intel SDM): Chromium's IMMEDIATE_CRASH (base/immediate_crash.h).
    private static readonly byte[] s_trap = [0xCC, 0x0F, 0x0B];

    /// <summary>The exception, or null when none was recorded or its thread is not in the dump.</summary>
    /// <param name="dump">The dump.</param>
    /// <param name="threads">Its threads.</param>
    /// <param name="emulated">The same threads as their 32-bit code has them, where the dump is of a 64-bit system; else the same.</param>
    /// <param name="walks">Walks stacks of the dump's architecture.</param>
    /// <param name="images">Images of the modules.</param>
    public static RecordedException? Read(
        MinidumpFile dump, IReadOnlyList<WindowsThread> threads, IReadOnlyList<WindowsThread> emulated, ThreadWalks walks, PeImages images)
    {
        if (dump.Exception is not { Code: not 0 } exception || threads.FirstOrDefault(t => t.Saved.Id == exception.ThreadId) is not { } named)
        {
            return null;
        }

        uint? raiser = RaiserOf(exception, named, [.. threads, .. emulated]);
        WindowsThread? thread = threads.FirstOrDefault(t => t.Id == raiser);
        ProcessorArchitecture architecture = dump.SystemInfo!.Architecture;
        ulong[] parameters = [.. exception.Parameters.Select(p => OfArchitecture(p, architecture))];
        ulong? address = exception.Address == 0 ? exception.InstructionPointer : OfArchitecture(exception.Address, architecture);
        bool hasAddress = exception.Code is AccessViolation or InPageError && parameters.Length > AddressParameter;
        WindowsThread? moment = exception.Registers is { } registers ? walks.Walk((thread ?? named).Saved, registers, thread?.Environment) : null;
        return new RecordedException(raiser)
        {
            MisnamedThread = raiser == exception.ThreadId ? null : exception.ThreadId,
            Code = exception.Code,
            Address = address,
            IsTrap = exception.Code is Breakpoint or EmulatedBreakpoint && address is { } at && IsTrap(dump, images, at),
            IsFromCrashpad = dump.Streams.Any(s => s.Type == MinidumpLayout.CrashpadStream),
            Access = hasAddress ? AccessOf(parameters[0]) : MemoryAccess.Unknown,
            AccessedAddress = hasAddress ? parameters[AddressParameter] : null,
            Subcode = exception.Code == StackBufferOverrun && parameters.Length > 0 && parameters[0] <= uint.MaxValue ? (uint)parameters[0] : null,
            Thrown = exception.Code == CppThrowLayout.ExceptionCode && CppExceptionType.Read(dump, architecture, parameters) is { } type
                ? [new ThrownException(type, null)] : [],
            Stack = moment is null ? ThreadStack.None : new ThreadStack(moment.Frames, moment.End),
        };
    }

    /// <summary>
    /// The thread in whose stack the exception's stack pointer lies; null where it lies in none. The one that the writer named, where nothing contradicts it.
    /// </summary>
    private static uint? RaiserOf(MinidumpException exception, WindowsThread named, IReadOnlyList<WindowsThread> threads)
    {
        WindowsThread[] own = [.. threads.Where(t => t.Id == named.Id)];
        return exception.StackPointer is not { } pointer || own.Any(t => HasOnStack(t, pointer)) || !own.Any(HasKnownStack) ? named.Id
            : threads.Where(t => HasOnStack(t, pointer)).Select(t => t.Id).Distinct().ToArray() is { Length: > 0 } found ? found is [var only] ? only : null
            : own.Any(t => IsBelow(t, pointer)) ? named.Id
            : null;
    }

    /// <summary>True just below a stack: one that overflows leaves what is in use of it.</summary>
    private static bool IsBelow(WindowsThread thread, ulong pointer)
    {
        ulong lowest = thread.Environment?.Stack.Limit ?? thread.Saved.StackStart;
        return pointer < lowest && lowest - pointer <= MostBelow;
    }

    private static bool HasKnownStack(WindowsThread thread) => thread.Environment is not null || thread.Saved is { StackStart: not 0, StackSize: not 0 };

    /// <summary>By the thread's own block, and by the memory that the writer saved as its stack.</summary>
    private static bool HasOnStack(WindowsThread thread, ulong pointer) =>
        (thread.Environment is { } block && pointer >= (block.StackReservation ?? block.Stack.Limit) && pointer < block.Stack.Base)
        || (thread.Saved.StackStart != 0 && pointer >= thread.Saved.StackStart && pointer - thread.Saved.StackStart < thread.Saved.StackSize);

    /// <summary>Writers extend addresses of 32-bit processes to 64 bits with their sign.</summary>
    private static ulong OfArchitecture(ulong value, ProcessorArchitecture architecture) => architecture.PointerSize() == sizeof(uint) ? (uint)value : value;

    /// <summary>By the code in the dump, else by that of the image.</summary>
    private static bool IsTrap(MinidumpFile dump, PeImages images, ulong address)
    {
        Span<byte> code = stackalloc byte[s_trap.Length];
        bool isRead = dump.TryRead(address, code) || (dump.Find(address) is { } module && images.Find(module) is { } image
            && image.ReadRva((uint)(address - module.BaseAddress), code));
        return isRead && code.SequenceEqual(s_trap);
    }

    private static MemoryAccess AccessOf(ulong parameter) => parameter switch
    {
        0 => MemoryAccess.Read,
        1 => MemoryAccess.Write,
        8 => MemoryAccess.Execute,
        _ => MemoryAccess.Unknown,
    };
}
