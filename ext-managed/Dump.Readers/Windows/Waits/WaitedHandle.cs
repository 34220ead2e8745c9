using System.Globalization;
using Dump.Model.Facts;
using Dump.Readers.Instructions;
using Dump.Readers.Minidump;

namespace Dump.Readers.Windows.Waits;

/// <summary>A handle that a thread waits for.</summary>
/// <param name="Value">Its value.</param>
/// <param name="Known">Its entry in the handle stream, or null when the stream lacks it.</param>
/// <param name="Grade">How well it is known that the thread waits for it.</param>
/// <param name="How">Why.</param>
internal sealed record WaitedHandle(ulong Value, MinidumpHandle? Known, Grade Grade, Evidence How)
{
    /// <summary>GetCurrentProcess(), and INVALID_HANDLE_VALUE as well: a wait for this process (winbase.h, ntdef.h).</summary>
    public const ulong CurrentProcess = ulong.MaxValue;

    /// <summary>GetCurrentThread().</summary>
    public const ulong CurrentThread = ulong.MaxValue - 1;
}

/// <summary>
/// Finds the handles that a thread gave to a wait: in the registers of the system call, in the code that
/// called it, among the values that the waiting frames keep.
/// </summary>
internal static class WaitedHandles
{
    /// <summary>Most objects of one wait (MAXIMUM_WAIT_OBJECTS, winnt.h).</summary>
    private const int MaximumObjects = 64;

    /// <summary>The handle of a wait for one object, or null.</summary>
    public static WaitedHandle? Single(WindowsProcess process, WindowsThread thread, string systemCall, WaitArguments arguments, int caller)
    {
        if (systemCall == "NtWaitForSingleObject" && SystemCallArgument.First(process, thread) is var (argument, place)
            && Of(process, argument, Grade.Proven, EvidenceSource.Register, $"{place} of NtWaitForSingleObject") is { } exact)
        {
            return exact;
        }

        if (arguments.Handle is { } given)
        {
            return Of(process, given, Grade.Derived, EvidenceSource.Code, "argument of the wait in the caller's code");
        }

        // A call that signals one object and waits for another keeps both handles.
        if (systemCall == "NtSignalAndWaitForSingleObject")
        {
            return null;
        }

        // Wine's WaitForSingleObject hands an array of one to the system call, and its code shows where that array lies.
        if (systemCall == "NtWaitForMultipleObjects" && thread.Walked.Count > 1
            && (arguments.Array ?? CallSiteReader.Read(process.Dump, thread.Walked[1]).Second) is { } array
            && process.Dump.ReadPointer(array, process.PointerSize) is { } element
            && Of(process, element, Grade.Derived, EvidenceSource.Code, "first element of the array that is passed to the system call") is { } listed)
        {
            return listed;
        }

        return Kept(process, thread, caller);
    }

    /// <summary>
    /// The handles of a wait for several objects, in their order, or null. From registers and from the wait function's own code they count only when the handle
    /// stream has them all; from the code of the program also when it lacks some, whose grade is then suspected.
    /// </summary>
    public static WaitedHandle[]? Several(WindowsProcess process, WindowsThread thread, string systemCall, WaitArguments arguments)
    {
        WaitedHandle[]? called = Listed(process, arguments.Count, arguments.Array, EvidenceSource.Code, "the array in the caller's code");
        if (systemCall == "NtWaitForMultipleObjects" && SystemCallArgument.First(process, thread) is var (number, _)
            && SystemCallArgument.Second(process, thread) is var (start, place)
            && Listed(process, number, start, EvidenceSource.Register, $"the array in {place} of NtWaitForMultipleObjects") is { } exact
            && exact.All(h => h.Known is not null))
        {
            bool agree = called is not null && called.Select(h => h.Value).SequenceEqual(exact.Select(h => h.Value));
            return agree ? [.. exact.Select(h => h with { Grade = Grade.Proven })] : exact;
        }

        if (called is not null)
        {
            return called;
        }

        return systemCall == "NtWaitForMultipleObjects" && thread.Walked.Count > 1
            && CallSiteReader.Read(process.Dump, thread.Walked[1]) is { First: { } count, Second: { } array }
            && Listed(process, count, array, EvidenceSource.Code, "the array that the wait function passes to the system call") is { } passed
            && passed.All(h => h.Known is not null)
                ? passed
                : null;
    }

    /// <summary>
    /// A value as a waited handle: one of the stream that can be waited for, at the given grade; where the dump has no handle stream, any value that can be a
    /// handle; the constants for the thread or process itself. Null for all others.
    /// </summary>
    private static WaitedHandle? Of(WindowsProcess process, ulong value, Grade grade, EvidenceSource source, string what)
    {
        if (process.PointerSize == sizeof(uint) && value is <= uint.MaxValue and >= uint.MaxValue - 1)
        {
            value |= (ulong)uint.MaxValue << 32;
        }

        if (value is WaitedHandle.CurrentProcess or WaitedHandle.CurrentThread)
        {
            return new WaitedHandle(value, null, Grade.Derived,
                new Evidence(
                    source, $"{what} is the constant that stands for the {(value == WaitedHandle.CurrentThread ? "calling thread" : "process")} itself",
                    null, value));
        }

        if (process.Handle(value) is { } known)
        {
            return HandleResources.IsWaitable(known)
                ? new WaitedHandle(value, known, grade, new Evidence(source, $"{what} is a handle of the handle stream", null, value))
                : null;
        }

        return process.Dump.Handles is null && source == EvidenceSource.Code && IsHandleValue(value)
            ? new WaitedHandle(value, null, Grade.Derived, new Evidence(source, $"{what}; the dump has no handle stream", null, value))
            : null;
    }

    /// <summary>
    /// The array's elements, or null when it cannot be one: the count is out of range, memory is missing, an
    /// element is no handle value or a handle of a type that cannot be waited for.
    /// </summary>
    private static WaitedHandle[]? Listed(WindowsProcess process, ulong? count, ulong? array, EvidenceSource source, string where)
    {
        if (count is not (> 0 and <= MaximumObjects) || array is not { } start || start > ulong.MaxValue - MaximumObjects * sizeof(ulong))
        {
            return null;
        }

        WaitedHandle[] handles = new WaitedHandle[count.Value];
        for (int i = 0; i < handles.Length; i++)
        {
            ulong at = start + (ulong)(i * process.PointerSize);
            if (process.Dump.ReadPointer(at, process.PointerSize) is not { } value || !IsHandleValue(value)
                || (process.Handle(value) is { } known && !HandleResources.IsWaitable(known)))
            {
                return null;
            }

            Evidence how = new(source, string.Create(CultureInfo.InvariantCulture, $"element {i} (of {handles.Length}) of {where}"), at, value);
            handles[i] = new WaitedHandle(value, process.Handle(value), process.Handle(value) is null ? Grade.Suspected : Grade.Derived, how);
        }

        return handles;
    }

    /// <summary>Handles are small; their two lowest bits are the program's (ntdef.h, OBJ_HANDLE_TAGBITS).</summary>
    private static bool IsHandleValue(ulong value) => value is > 3 and <= uint.MaxValue;

    /// <summary>Handles are small numbers, and a frame keeps other small numbers too: the only one that the waiting frames keep is suspected.</summary>
    private static WaitedHandle? Kept(WindowsProcess process, WindowsThread thread, int caller)
    {
        MinidumpHandle[] kept =
        [
            .. StackValues.Read(process.Dump, thread, caller + 1)
                .Select(process.Handle)
                .OfType<MinidumpHandle>()
                .Where(HandleResources.IsWaitable)
                .DistinctBy(h => h.Value),
        ];
        return kept is [{ } only]
            ? new WaitedHandle(only.Value, only, Grade.Suspected,
                new Evidence(EvidenceSource.Register, "the only waitable handle among the waiting frames' values", null, only.Value))
            : null;
    }
}
