using System.Globalization;
using Dump.Model.Managed;
using Dump.Model.Reported;
using Dump.Model.Text;

namespace Dump.Reports;

/// <summary>A managed object as text.</summary>
public static class ObjectReport
{
    private const string Unreadable = "(its memory is not in the dump)";

    /// <summary>Writes it for people.</summary>
    public static void Write(ObjectDocument found, TextWriter output, TextStyle style)
    {
        string size = found.Size is { } bytes ? string.Create(CultureInfo.InvariantCulture, $", {bytes} bytes") : "";
        output.WriteLine(style.Heading($"{found.Type} 0x{found.Address:x}{size}"));
        if (found.MonitorOwner is { } owner)
        {
            output.WriteLine($"  its monitor is held by {owner}");
        }

        if (found.Text is { } text)
        {
            output.WriteLine($"  \"{text}\"");
        }

        int width = found.Fields.IsEmpty ? 0 : Math.Min(40, found.Fields.Max(f => f.Name.Length));
        foreach (ObjectField field in found.Fields)
        {
            output.WriteLine($"  {field.Name.PadRight(width)} = {field.Value ?? Unreadable}  {style.Faint(field.Type)}");
        }

        WriteElements(found, output, style);
        if (found.Problem is { } problem)
        {
            output.WriteLine(style.Warning($"  {problem}"));
        }
    }

    private static void WriteElements(ObjectDocument found, TextWriter output, TextStyle style)
    {
        if (found.Count is not { } count)
        {
            return;
        }

        output.WriteLine(style.Heading($"  {CountText.Of(count, "element")}"));
        foreach (ObjectElement element in found.Elements)
        {
            string key = element.Key is { } text ? $"{text} -> " : "";
            string value = element.Value ?? (element.Key is null ? Unreadable : "");
            output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"    [{element.Index}] {key}{value}").TrimEnd(' ', '>', '-'));
        }

        if (found.Elements.Length < count && !found.Elements.IsEmpty)
        {
            output.WriteLine(style.Faint(string.Create(CultureInfo.InvariantCulture, $"    {count - found.Elements.Length} more: --limit N shows more")));
        }
    }
}
