using System.Net;

namespace Dump.Fetching.Downloads;

/// <summary>Which addresses may be asked.</summary>
internal static class RequestRules
{
    /// <summary>Why an address that the user's settings name is not asked, as a clause; null when it may be.</summary>
    public static string? Problem(Uri address) =>
        address.Scheme == Uri.UriSchemeHttps || address.Scheme == Uri.UriSchemeHttp && IsThisMachine(address) ? null
        : address.Scheme == Uri.UriSchemeHttp ? "its address is plain http, which anybody on the way can change; give an https address"
        : "its address is neither https nor a directory";

    /// <summary>True when a server may send on to another address: to https, and from this machine's own plain http to no other machine.</summary>
    public static bool MayLeadTo(Uri from, Uri to) =>
        to.Scheme == Uri.UriSchemeHttps
        || to.Scheme == Uri.UriSchemeHttp && from.Scheme == Uri.UriSchemeHttp && IsThisMachine(from) && IsThisMachine(to);

    /// <summary>An address for people, without what it has of names and passwords.</summary>
    public static string Shown(Uri address) => address.GetComponents(UriComponents.HttpRequestUrl & ~UriComponents.Query, UriFormat.UriEscaped);

    // A name that is looked up may lead anywhere: only addresses, and the one name that never leaves the machine.
    private static bool IsThisMachine(Uri address) =>
        address.Host == "localhost" || IPAddress.TryParse(address.Host.Trim('[', ']'), out IPAddress? number) && IPAddress.IsLoopback(number);
}
