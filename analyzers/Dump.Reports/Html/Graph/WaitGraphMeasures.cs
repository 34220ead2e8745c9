namespace Dump.Reports.Html.Graph;

/// <summary>Measures of a drawn wait graph, in pixels.</summary>
internal static class WaitGraphMeasures
{
    /// <summary>Width of a node.</summary>
    public const double NodeWidth = 214;

    /// <summary>Most characters in a line of a node: at 12.5 pixels the letters of common fonts are 7 pixels wide or less on average.</summary>
    public const int LineCharacters = 28;

    /// <summary>Height of a line of text.</summary>
    public const double LineHeight = 17;

    /// <summary>Space above and below the text of a node, together.</summary>
    public const double NodePadding = 15;

    /// <summary>Space between the two columns, where edges and their labels run.</summary>
    public const double ColumnGap = 104;

    /// <summary>Space between two rows.</summary>
    public const double RowGap = 46;

    /// <summary>Space around everything.</summary>
    public const double Margin = 10;

    /// <summary>Space between two lines that run down the side.</summary>
    public const double LaneWidth = 14;

    /// <summary>Height of a node with that many lines.</summary>
    public static double Height(int lines) => NodePadding + (lines * LineHeight);
}
