using System.Globalization;

namespace Dump.Model.Waits;

/// <summary>What is true of every resource of a kind: one row of <see cref="ResourceKinds"/>.</summary>
/// <param name="Kind">The kind.</param>
/// <param name="Article">The indefinite article of the noun, <c>a</c> or <c>an</c>.</param>
/// <param name="Noun">What one is called, without article, for example <c>critical section</c>.</param>
/// <param name="Class">What a wait for it means to the code that waits.</param>
/// <param name="Owner">Whether it has an owner and says which.</param>
public sealed record ResourceKindFacts(ResourceKind Kind, string Article, string Noun, WaitClass Class, OwnerRecord Owner)
{
    /// <summary>True when its identity is the value of a handle.</summary>
    public bool IsHandle { get; init; }

    /// <summary>True when its identity is a number that people write in decimal, such as a file descriptor; 0 is one unless plain words exist.</summary>
    public bool IsNumber { get; init; }

    /// <summary>True for an object of the kernel that wait functions take a handle of.</summary>
    public bool IsDispatcherObject { get; init; }

    /// <summary>True when its identity is the address of a managed object, which the garbage collector may move.</summary>
    public bool IsManagedObject { get; init; }

    /// <summary>True for an <c>RTL_CRITICAL_SECTION</c>, whatever the system uses it for.</summary>
    public bool IsCriticalSection { get; init; }

    /// <summary>True when the same thread may take it again without blocking.</summary>
    public bool IsRecursive { get; init; }

    /// <summary>True when threads queue for it: not for the end of a thread, nor for a call that it executes.</summary>
    public bool HasQueue { get; init; } = true;

    /// <summary>True when it belongs to the loader, so that a cycle through it is a loader-lock deadlock.</summary>
    public bool IsLoader { get; init; }

    /// <summary>True when a process has only one of it, which needs no identity.</summary>
    public bool ExistsOnce { get; init; }

    /// <summary>True when a wait for it goes by an address, so that only threads of the same process can end it.</summary>
    public bool IsWaitByAddress { get; init; }

    /// <summary>True when something outside of the process's threads may end a wait for it at any moment.</summary>
    public bool EndsFromOutside { get; init; }

    /// <summary>True when its words name the thread that must act (the end of a thread), which need not be named again.</summary>
    public bool NamesItsOwner { get; init; }

    /// <summary>What leads from it to its owner, for example <c>held by</c>.</summary>
    public string HeldBy { get; init; } = "held by";

    /// <summary>What is said where no owner is known; null where a wait for it says enough.</summary>
    public string? WithoutOwner { get; init; }

    /// <summary>What it is called in signatures: what differs by version of Windows alone has one name.</summary>
    public string SignatureName { get; init; } = Kind.ToString();

    /// <summary>Words for one whose identity is known, with <c>{0}</c> for the identity; null to name it by its noun.</summary>
    public string? Pattern { get; init; }

    /// <summary>Words for one whose identity is unknown or of no use; null to name it by its noun.</summary>
    public string? PlainWords { get; init; }

    /// <summary>A resource of this kind in words, for example <c>mutex (handle 0x44)</c> or <c>an SRW lock that could not be identified</c>.</summary>
    /// <param name="identity">Its address, handle or id; 0 when that is unknown.</param>
    public string Words(ulong identity) =>
        IsNumber && Pattern is { } number && (identity != 0 || PlainWords is null) ? string.Format(CultureInfo.InvariantCulture, number, identity)
        : identity == 0 || (Pattern is null && PlainWords is not null) ? PlainWords ?? $"{Article} {Noun} that could not be identified"
        : Pattern is { } pattern ? string.Format(CultureInfo.InvariantCulture, pattern, $"0x{identity:x}")
        : IsHandle ? $"{Noun} (handle 0x{identity:x})"
        : $"{Noun} 0x{identity:x}";
}
