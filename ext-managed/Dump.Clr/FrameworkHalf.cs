using Dump.Clr.Runtimes;
using Dump.Model.Facts;

namespace Dump.Clr;

/// <summary>
/// The managed half of a .NET Framework process. It is read by rules that were checked on .NET Core 2.0 to .NET 10, the first of which has the locks of .NET
/// Framework 4.7; none was checked on a real dump of .NET Framework. No wait and no owner counts as proven, so that no verdict on its locks is Confirmed.
/// </summary>
internal static class FrameworkHalf
{
    /// <summary>The half with no wait and no owner that counts as proven, and with words that say so.</summary>
    public static ManagedHalf Careful(ManagedHalf half, DotNetRuntime runtime) => half with
    {
        Origin = $"{runtime.Name}, by rules that were checked on .NET Core 2.0 to .NET 10 and on no dump of .NET Framework: its locks are at most likely",
        Waits = [.. half.Waits.Select(w => w with { Grade = AtMostDerived(w.Grade) })],
        Ownerships = [.. half.Ownerships.Select(o => o with { Grade = AtMostDerived(o.Grade) })],
    };

    private static Grade AtMostDerived(Grade grade) => grade > Grade.Derived ? Grade.Derived : grade;
}
