using System.Reflection;
using System.Text.Json;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using Dump.Model.Reported;

namespace Dump.Reports.Tests;

/// <summary>The docstrings of the model's records as plain text.</summary>
internal sealed partial class RecordTexts
{
    private readonly Dictionary<string, string> _texts = XDocument.Load(Path.ChangeExtension(typeof(HangReport).Assembly.Location, ".xml"))
        .Descendants("member").Where(m => m.Element("summary") is not null)
        .ToDictionary(m => m.Attribute("name")!.Value, m => Plain(m.Element("summary")!), StringComparer.Ordinal);

    /// <summary>What is said of a record, or null.</summary>
    public string? Of(Type type) => _texts.GetValueOrDefault($"T:{type.FullName}");

    /// <summary>What is said of a property, or null.</summary>
    public string? Of(MemberInfo member) => _texts.GetValueOrDefault($"P:{member.DeclaringType!.FullName}.{member.Name}");

    private static string Plain(XElement summary) =>
        Spaces().Replace(string.Concat(summary.Nodes().Select(Plain)), " ").Trim();

    private static string Plain(XNode node) => node switch
    {
        XElement { Name.LocalName: "see" } see => Last(see),
        XElement inner => inner.Value,
        XText text => text.Value,
        _ => "",
    };

    private static string Last(XElement see)
    {
        string name = (see.Attribute("cref") ?? see.Attribute("langword"))!.Value;
        return JsonNamingPolicy.CamelCase.ConvertName(name[(name.LastIndexOf('.') + 1)..]);
    }

    [GeneratedRegex(@"\s+")]
    private static partial Regex Spaces();
}
