using System.Xml;
using Dump.Model.Process;

namespace Dump.Readers.Minidump;

/// <summary>
/// Reads the stream that Unreal Engine's crash writer adds: XML in UTF-16, in a buffer that may be longer than its text. Source: FGenericCrashContext
/// (Core/Private/GenericPlatform/GenericPlatformCrashContext.cpp) of Unreal Engine 4 and 5; its line breaks are an entity that it declares nowhere.
/// </summary>
internal static class UnrealStream
{
    private const string Root = "FGenericCrashContext";
    private const string Section = "RuntimeProperties";
    private const int LongestType = 32;

    /// <summary>What it says, or null when it is another program's stream of that number or cannot be read.</summary>
    /// <param name="reader">Reads the file.</param>
    /// <param name="stream">The stream.</param>
    public static UnrealReport? Read(StreamReader reader, MinidumpStream stream) =>
        reader.Utf16("Unreal", stream.Range.Offset, (ulong)stream.Range.Size, allowLineBreaks: true) is { } text
        && text.Contains($"<{Root}>", StringComparison.Ordinal) ? Parse(text) : null;

    private static UnrealReport Parse(string text)
    {
        UnrealReport report = new(null, null, null);
        using XmlReader xml = XmlReader.Create(
            new StringReader(text.Replace("&nl;", " ", StringComparison.Ordinal)),
            new XmlReaderSettings { DtdProcessing = DtdProcessing.Prohibit, XmlResolver = null, CheckCharacters = false });
        try
        {
            string parent = "";
            while (xml.Read())
            {
                if (xml is { NodeType: XmlNodeType.Element, Depth: 1 })
                {
                    parent = xml.LocalName;
                }
                else if (xml is { NodeType: XmlNodeType.Element, Depth: 2 } && parent == Section)
                {
                    report = With(report, xml);
                }
            }
        }
        catch (XmlException)
        {
            // The text is cut where it is longer than the limit, which is behind what is looked for; of a damaged one counts what stands before.
        }

        return report;
    }

    /// <summary>The first of each name counts.</summary>
    private static UnrealReport With(UnrealReport report, XmlReader xml) => xml.LocalName switch
    {
        "CrashType" when report.CrashType is null => report with { CrashType = TypeOf(Content(xml)) },
        "IsEnsure" when report.IsEnsure is null => report with { IsEnsure = BooleanOf(Content(xml)) },
        "IsStall" when report.IsStall is null => report with { IsStall = BooleanOf(Content(xml)) },
        _ => report,
    };

    private static string Content(XmlReader xml) => !xml.IsEmptyElement && xml.Read() && xml.NodeType == XmlNodeType.Text ? xml.Value.Trim() : "";

    private static string? TypeOf(string text) => text.Length is > 0 and <= LongestType && text.All(char.IsAsciiLetterOrDigit) ? text : null;

    private static bool? BooleanOf(string text) => text switch
    {
        "true" or "1" => true,
        "false" or "0" => false,
        _ => null,
    };
}
