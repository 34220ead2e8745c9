using System.Globalization;

namespace Dump.Capture.Proc;

/// <summary>Lists of file descriptors in words.</summary>
internal static class DescriptorWords
{
    private const int MostNamed = 8;

    /// <summary>One or several, for example <c>file descriptors 3, 5 and 2 more</c>.</summary>
    public static string Of(IReadOnlyCollection<int> descriptors) =>
        $"file descriptor{(descriptors.Count == 1 ? "" : "s")} "
            + string.Join(", ", descriptors.Take(MostNamed).Select(d => d.ToString(CultureInfo.InvariantCulture)))
            + (descriptors.Count > MostNamed ? $" and {descriptors.Count - MostNamed} more" : "");
}
