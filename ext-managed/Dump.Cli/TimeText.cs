using System.Globalization;

namespace Dump.Cli;

/// <summary>Times on the command line: a number with its unit, such as <c>500ms</c>, <c>1.5s</c>, <c>2min</c>, <c>1h</c>.</summary>
internal static class TimeText
{
    private static readonly TimeSpan s_longest = TimeSpan.FromDays(365);

    /// <summary>Reads a time of at most a year.</summary>
    public static bool TryParse(string text, out TimeSpan time)
    {
        string number = text.TrimEnd("abcdefghijklmnopqrstuvwxyz".ToCharArray());
        double? unit = text[number.Length..] switch
        {
            "ms" => 0.001,
            "s" => 1,
            "min" => 60,
            "h" => 3600,
            _ => null,
        };
        bool isTime = double.TryParse(number, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double value) & unit is not null && value * unit <= s_longest.TotalSeconds;
        time = isTime ? TimeSpan.FromSeconds(value * unit!.Value) : default;
        return isTime;
    }
}
