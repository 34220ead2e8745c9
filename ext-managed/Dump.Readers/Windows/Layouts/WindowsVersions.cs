namespace Dump.Readers.Windows.Layouts;

/// <summary>
/// Versions since which offsets and bits hold, as <c>since</c> in the layouts. What changed with one build has its number too:
/// <c>new Version(10, 0, 26100)</c>.
/// </summary>
internal static class WindowsVersions
{
    public static Version Windows7 { get; } = new(6, 1);

    public static Version Windows8 { get; } = new(6, 2);

    public static Version Windows10 { get; } = new(10, 0);
}
