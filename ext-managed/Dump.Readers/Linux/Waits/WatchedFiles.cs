using System.Buffers.Binary;
using System.Collections.Immutable;
using Dump.Readers.ElfCore;

namespace Dump.Readers.Linux.Waits;

/// <summary>The files for whose readiness a thread waits, by the arguments of its system call.</summary>
/// <param name="ThreadId">The thread.</param>
/// <param name="EventSet">The file descriptor of the set of <c>epoll</c>, whose members the system knows; null for another call.</param>
/// <param name="Descriptors">The file descriptors of <c>poll</c> and <c>select</c>.</param>
internal sealed record WatchedFiles(uint ThreadId, uint? EventSet, ImmutableArray<int> Descriptors)
{
    // select(2): FD_SETSIZE is 1,024, and what programs make themselves is hardly ever larger.
    private const int MostDescriptors = 4_096;

    /// <summary>Those of a thread, or null when it is in no such call or that cannot be read.</summary>
    /// <param name="memory">Memory of the process.</param>
    /// <param name="thread">The thread.</param>
    /// <param name="function">The function of the C library that made the call, or null: a call that goes on after a stop has lost its number.</param>
    public static WatchedFiles? Of(IMemory memory, ElfThread thread, string? function) =>
        thread is not { Argument0: { } first, Argument1: { } second, Argument2: { } third, Argument3: { } fourth } ? null
        : (LinuxSystemCalls.Of(thread) is var call && call == LinuxCall.Restart && function == "poll" && thread.Machine == LinuxMachine.X64 ? LinuxCall.Poll : call) switch
        {
            LinuxCall.EventWait or LinuxCall.EventWaitWithMask or LinuxCall.EventWaitWithMask2 =>
                new WatchedFiles(thread.Id, (uint)first, []),
            LinuxCall.Poll or LinuxCall.PollWithMask => Polled(memory, first, second) is { } polled
                ? new WatchedFiles(thread.Id, null, polled) : null,
            LinuxCall.Select or LinuxCall.SelectWithMask => Selected(memory, first, [second, third, fourth]) is { } selected
                ? new WatchedFiles(thread.Id, null, selected) : null,
            _ => null,
        };

    /// <summary>The descriptors of an array of <c>struct pollfd</c>: int fd, short events, short revents; a negative one is passed over (poll(2)).</summary>
    private static ImmutableArray<int>? Polled(IMemory memory, ulong address, ulong count)
    {
        const int Size = 8;
        if (count > MostDescriptors)
        {
            return null;
        }

        byte[] bytes = new byte[(int)count * Size];
        return bytes.Length > 0 && !memory.TryRead(address, bytes) ? null
            : [.. Enumerable.Range(0, (int)count).Select(i => BinaryPrimitives.ReadInt32LittleEndian(bytes.AsSpan(i * Size))).Where(d => d >= 0).Distinct()];
    }

    /// <summary>The descriptors of three sets of bits, each of which may be absent.</summary>
    private static ImmutableArray<int>? Selected(IMemory memory, ulong count, ulong[] sets)
    {
        if (count > MostDescriptors)
        {
            return null;
        }

        SortedSet<int> found = [];
        byte[] bits = new byte[((int)count + 63) / 64 * 8];
        foreach (ulong set in sets.Where(s => s != 0))
        {
            if (bits.Length > 0 && !memory.TryRead(set, bits))
            {
                return null;
            }

            found.UnionWith(Enumerable.Range(0, (int)count).Where(d => (bits[d / 8] & (1 << (d % 8))) != 0));
        }

        return [.. found];
    }
}
