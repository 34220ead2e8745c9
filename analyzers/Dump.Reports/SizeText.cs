using System.Globalization;

namespace Dump.Reports;

/// <summary>Sizes in words.</summary>
internal static class SizeText
{
    /// <summary>A size in bytes, KiB or MiB.</summary>
    /// <param name="bytes">Size in bytes.</param>
    public static string Of(long bytes) => bytes switch
    {
        < 1 << 10 => string.Create(CultureInfo.InvariantCulture, $"{bytes} bytes"),
        < 1 << 20 => string.Create(CultureInfo.InvariantCulture, $"{bytes / 1024.0:0} KiB"),
        _ => string.Create(CultureInfo.InvariantCulture, $"{bytes / 1024.0 / 1024.0:0.0} MiB"),
    };
}
