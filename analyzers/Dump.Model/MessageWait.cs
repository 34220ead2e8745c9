using System.Collections.Immutable;

namespace Dump.Model;

/// <summary>A wait for kernel objects that messages may end as well: <c>MsgWaitForMultipleObjects</c> or <c>MsgWaitForMultipleObjectsEx</c>.</summary>
/// <param name="Function">The function that was called.</param>
/// <param name="WakeMask">Which messages end it: bits <c>QS_KEY</c> and so on of winuser.h.</param>
/// <param name="Evidence">Why; never empty.</param>
public sealed record MessageWait(string Function, uint WakeMask, ImmutableArray<Evidence> Evidence);
