using System.Collections.Immutable;
using System.Globalization;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers.Instructions;
using Dump.Readers.Windows.Layouts;

namespace Dump.Readers.Windows.Waits;

/// <summary>
/// Reads the messages that a thread's loops are handling: the loop's code shows where the <c>MSG</c> lies that it gave to <c>DispatchMessage</c>.
/// </summary>
internal static class DispatchedMessages
{
    private const int MostOfOneStack = 16;

    /// <summary>All of them, innermost first.</summary>
    public static ImmutableArray<DispatchedMessage> Read(IMemory memory, WindowsThread thread)
    {
        ImmutableArray<DispatchedMessage>.Builder found = ImmutableArray.CreateBuilder<DispatchedMessage>();
        for (int i = 0; i + 1 < thread.Frames.Length && found.Count < MostOfOneStack; i++)
        {
            if (IsDispatch(thread.Frames[i]) && thread.Frames[i + 1].ModuleStem != "user32" && Read(memory, thread, i + 1) is { } message)
            {
                found.Add(message);
            }
        }

        return found.ToImmutable();
    }

    private static bool IsDispatch(StackFrame frame) =>
        frame is { ModuleStem: "user32", Called: "DispatchMessageA" or "DispatchMessageW" or "DispatchMessageWorker" };

    private static DispatchedMessage? Read(IMemory memory, WindowsThread thread, int loop)
    {
        int pointerSize = thread.Walked[loop].Registers.Architecture.PointerSize();
        if (PassedArguments.Read(memory, thread.Walked[loop]).First is not { } at || at > ulong.MaxValue - sizeof(ulong)
            || memory.ReadPointer(at + MessageLayout.Window, pointerSize) is not (> 0 and <= MessageLayout.MostWindow and var window)
            || memory.ReadUInt32(at + (ulong)MessageLayout.Message(pointerSize)) is not (<= MessageLayout.MostMessage and var message))
        {
            return null;
        }

        return new DispatchedMessage(
            loop, window, message, thread.Frames[loop].Trust > FrameTrust.Scan ? Grade.Derived : Grade.Suspected,
            [new Evidence(EvidenceSource.Memory, string.Create(CultureInfo.InvariantCulture,
                $"the MSG that frame {loop} gave to DispatchMessage: window 0x{window:x}, message 0x{message:x}"), at, window)]);
    }
}
