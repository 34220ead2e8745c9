namespace Dump.Cli.Options;

/// <summary>Names of stores on a command line.</summary>
internal static class StorePlace
{
    private static readonly string[] s_addresses = ["postgres://", "postgresql://"];

    /// <summary>True for the address of a database server.</summary>
    public static bool IsAddress(string place) => s_addresses.Any(a => place.StartsWith(a, StringComparison.OrdinalIgnoreCase));
}
