using Dump.Fetching.Downloads;

namespace Dump.Fetching.DebugFiles;

/// <summary>Addresses of debuginfod servers as users give them.</summary>
public static class DebuginfodServers
{
    /// <summary>
    /// Servers of <c>DEBUGINFOD_URLS</c>: addresses between spaces, among them words on signatures (<c>ima:enforcing</c>), which are no addresses.
    /// </summary>
    /// <param name="text">The variable's text; null or empty for none.</param>
    public static IReadOnlyList<Uri> Parse(string? text) =>
    [
        .. (text ?? "").Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries).Where(a => !a.StartsWith("ima:", StringComparison.Ordinal))
            .Select(a => Uri.TryCreate(a, UriKind.Absolute, out Uri? address) ? address : null).OfType<Uri>().Distinct(),
    ];

    /// <summary>What is wrong with one, as a clause that says what to give; null for an address that may be asked.</summary>
    /// <param name="text">What the user gave.</param>
    public static string? Problem(string text) =>
        Uri.TryCreate(text, UriKind.Absolute, out Uri? address) && !address.IsFile ? RequestRules.Problem(address) : "give the https address of the server";
}
