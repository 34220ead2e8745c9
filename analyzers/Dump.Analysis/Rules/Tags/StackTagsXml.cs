using System.Collections.Immutable;
using System.Globalization;
using System.Xml;
using Dump.Model.Text;

namespace Dump.Analysis.Rules.Tags;

/// <summary>
/// Reads tags from the XML of Windows Performance Analyzer (learn.microsoft.com/en-us/windows-hardware/test/wpt/stack-tags):
/// nested elements <c>Tag</c> and <c>HintTag</c> with <c>Entrypoint</c>s. Elements and attributes that it does not know are
/// passed over. Definitions of document types and entities are refused.
/// </summary>
internal static class StackTagsXml
{
    private const int MostCharacters = 8 * 1024 * 1024;
    private const int Deepest = 32;
    private const int MostTags = 20_000;
    private const int MostEntrypoints = 200_000;
    private const int LongestText = 512;
    private const int LongestName = 1_024;

    /// <summary>Reads them, in the order of the file.</summary>
    /// <exception cref="InvalidRulesException">The text is something else.</exception>
    public static ImmutableArray<StackTag> Read(string xml)
    {
        List<StackTag> tags = [];
        try
        {
            using XmlReader reader = XmlReader.Create(new StringReader(xml), new XmlReaderSettings
            {
                DtdProcessing = DtdProcessing.Prohibit,
                XmlResolver = null,
                MaxCharactersInDocument = MostCharacters,
                IgnoreComments = true,
                IgnoreProcessingInstructions = true,
                IgnoreWhitespace = true,
            });
            reader.MoveToContent();
            int entrypoints = 0;
            Element(reader, "", tags, ref entrypoints);
            while (reader.Read())
            {
                // What stands behind the root must be well-formed too.
            }
        }
        catch (XmlException error)
        {
            throw new InvalidRulesException($"it is not the XML of stack tags: {SafeText.Clean(error.Message, 300).TrimEnd('.')}", error);
        }

        return tags.Count > 0 ? [.. tags] : throw new InvalidRulesException("it has no Tag with an Entrypoint");
    }

    /// <summary>Reads the element at which the reader stands, with all inside of it.</summary>
    private static void Element(XmlReader reader, string parent, List<StackTag> tags, ref int entrypoints)
    {
        bool isTag = reader.LocalName is "Tag" or "HintTag";
        string name = isTag ? Join(parent, Text(reader, "Name") ?? "") : parent;
        if (name.Length > LongestName)
        {
            // Each tag bears the names of all around it: a small file would take hundreds of megabytes.
            throw At(reader, $"the name of a tag, with those around it, is longer than {LongestName} characters");
        }

        int priority = isTag ? Number(reader, "Priority") : 0;
        StackTagHint hint = reader.LocalName == "HintTag" ? Hint(reader) : StackTagHint.None;
        bool onlyShowsModule = !string.Equals(Text(reader, "OnlyShowModule"), "false", StringComparison.OrdinalIgnoreCase);
        int place = tags.Count;
        List<(string, string)> own = [];
        if (!reader.IsEmptyElement)
        {
            if (reader.Depth > Deepest)
            {
                throw new InvalidRulesException($"it is nested more than {Deepest} deep");
            }

            while (reader.Read() && reader.NodeType != XmlNodeType.EndElement)
            {
                if (reader.NodeType == XmlNodeType.Element && reader.LocalName == "Entrypoint")
                {
                    own.Add((Pattern(reader, "Module"), Pattern(reader, "Method")));
                    if (++entrypoints > MostEntrypoints)
                    {
                        throw new InvalidRulesException($"it has more than {MostEntrypoints} entry points");
                    }

                    if (!reader.IsEmptyElement)
                    {
                        Element(reader, name, tags, ref entrypoints);
                    }
                }
                else if (reader.NodeType == XmlNodeType.Element)
                {
                    Element(reader, name, tags, ref entrypoints);
                }
            }
        }

        if (own.Count > 0 && isTag)
        {
            Add(tags, place, new StackTag(name.Length > 0 ? name : throw At(reader, "a tag with an Entrypoint has no Name"), priority, hint,
                onlyShowsModule, [.. own]));
        }
    }

    private static void Add(List<StackTag> tags, int place, StackTag tag)
    {
        if (tags.Count >= MostTags)
        {
            throw new InvalidRulesException($"it has more than {MostTags} tags");
        }

        tags.Insert(place, tag);
    }

    private static string Join(string parent, string name) => parent.Length == 0 ? name : name.Length == 0 ? parent : $"{parent}\\{name}";

    private static string? Text(XmlReader reader, string attribute) =>
        reader.GetAttribute(attribute) is { } text ? SafeText.Clean(text.Length > LongestText ? text[..LongestText] : text).Trim() : null;

    private static string Pattern(XmlReader reader, string attribute) =>
        Text(reader, attribute) is { Length: > 0 } text ? text : throw At(reader, $"an Entrypoint has no {attribute}");

    private static int Number(XmlReader reader, string attribute) => Text(reader, attribute) is not { Length: > 0 } text ? 0
        : int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out int number) ? number
        : throw At(reader, $"{attribute} {SafeText.Quote(text)} is no whole number");

    private static StackTagHint Hint(XmlReader reader) => Text(reader, "HintOperator") switch
    {
        { } text when text.Equals("Caller", StringComparison.OrdinalIgnoreCase) => StackTagHint.Caller,
        { } text when text.Equals("Callee", StringComparison.OrdinalIgnoreCase) => StackTagHint.Callee,
        _ => throw At(reader, "a HintTag needs a HintOperator: Caller or Callee"),
    };

    private static InvalidRulesException At(XmlReader reader, string problem) =>
        new(reader is IXmlLineInfo { LineNumber: > 0 } place ? string.Create(CultureInfo.InvariantCulture, $"line {place.LineNumber}: {problem}") : problem);
}
