using System.Collections.Immutable;
using Dump.Model.Facts;

namespace Dump.Model.Process;

/// <summary>What a thread was doing, and why we say so.</summary>
/// <param name="Kind">The activity.</param>
/// <param name="SystemCall">Name of the system call the thread is in, for example <c>NtWaitForSingleObject</c>, or null.</param>
/// <param name="Evidence">Why; empty only for <see cref="ThreadActivityKind.Unknown"/>.</param>
public sealed record ThreadActivity(ThreadActivityKind Kind, string? SystemCall, ImmutableArray<Evidence> Evidence)
{
    /// <summary>An activity about which nothing is known.</summary>
    public static ThreadActivity Unknown { get; } = new(ThreadActivityKind.Unknown, null, []);

    /// <summary>True when the data do not tell what the thread does, so that it may wait.</summary>
    public bool MayBeWait => this is { Kind: ThreadActivityKind.Unknown } or { Kind: ThreadActivityKind.SystemCall, SystemCall: null };
}
