using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Objects;

/// <summary>Static fields in which the class library keeps what a program has registered.</summary>
internal static class LibraryField
{
    /// <summary>How much the object of such a field holds.</summary>
    /// <param name="runtime">The runtime.</param>
    /// <param name="type">Full name of the class.</param>
    /// <param name="field">Name of the field.</param>
    /// <param name="count">Counts what the object holds; null when it cannot be read.</param>
    /// <returns>0 where class or field was never used; null when that cannot be read.</returns>
    public static int? Count(ClrRuntime runtime, string type, string field, Func<ClrObject, int?> count)
    {
        if (runtime.BaseClassLibrary is not { } library || runtime.AppDomains is not [var domain, ..])
        {
            return null;
        }

        // A class that was never loaded was never used.
        if (library.GetTypeByName(type) is not { } known)
        {
            return 0;
        }

        return known.GetStaticFieldByName(field) is not { } place ? null
            : !place.IsInitialized(domain) ? 0
            : place.ReadObject(domain) is { IsNull: false, IsValid: true } found ? count(found)
            : null;
    }

    /// <summary>The object of such a field; null where there is none, or it cannot be read.</summary>
    /// <param name="runtime">The runtime.</param>
    /// <param name="type">Full name of the class.</param>
    /// <param name="field">Name of the field.</param>
    public static ClrObject? Object(ClrRuntime runtime, string type, string field) =>
        runtime.AppDomains is [var domain, ..] && runtime.BaseClassLibrary?.GetTypeByName(type)?.GetStaticFieldByName(field) is { } place && place.IsInitialized(domain)
            && place.ReadObject(domain) is { IsNull: false, IsValid: true } found ? found : null;
}
