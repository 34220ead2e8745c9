using Dump.Fetching.Downloads;

namespace Dump.Fetching.Feeds;

/// <summary>Addresses of feeds as users give them.</summary>
public static class FeedAddress
{
    /// <summary>What is wrong with one, as a clause that says what to give; null for a directory that is there and for an address that may be asked.</summary>
    /// <param name="text">What the user gave.</param>
    public static string? Problem(string text) =>
        Directory.Exists(text) ? null
        : Uri.TryCreate(text, UriKind.Absolute, out Uri? address) && !address.IsFile ? RequestRules.Problem(address)
        : "there is no such directory; give the https address of the feed's index.json, or a directory with packages";
}
