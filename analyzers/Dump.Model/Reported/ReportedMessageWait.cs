using System.Text.Json.Serialization;

namespace Dump.Model.Reported;

/// <summary>A wait for kernel objects that messages may end as well.</summary>
/// <param name="Function">The function that was called.</param>
/// <param name="WakeMask">Which messages end it: bits <c>QS_KEY</c> and so on of winuser.h.</param>
public sealed record ReportedMessageWait([property: JsonRequired] string Function, ulong WakeMask);
