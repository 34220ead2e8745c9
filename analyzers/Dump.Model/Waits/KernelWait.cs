using System.Text.Json.Serialization;
using Dump.Model.Facts;

namespace Dump.Model.Waits;

/// <summary>What the arguments of a blocking system call tell.</summary>
/// <param name="Timeout">Whether the call has a time limit.</param>
/// <param name="Evidence">Which argument says so.</param>
public sealed record KernelWait(WaitTimeout Timeout, Evidence Evidence)
{
    /// <summary>
    /// The value that the word at the address of <see cref="Evidence"/> had when the thread began to wait; null when the call is no futex wait. A futex wait
    /// begins only while the word has it, and who changes the word wakes the waiters (futex(2)).
    /// </summary>
    public uint? Expected { get; init; }

    /// <summary>True for a word that the kernel keeps for a single process (FUTEX_PRIVATE_FLAG): no other process can wake who waits for it.</summary>
    [JsonIgnore]
    public bool IsPrivate { get; init; }
}
