using Dump.Model.Managed;
using Dump.Model.Reported;
using Dump.Model.Wording;

namespace Dump.Reports;

/// <summary>The objects of a stack as text.</summary>
public static class StackObjectsReport
{
    /// <summary>Writes them for people, under the frames that hold them.</summary>
    public static void Write(StackObjectDocument document, TextWriter output, TextStyle style)
    {
        output.WriteLine(style.Heading($"Objects that thread {ThreadNames.Id(document.Thread, document.Family)} refers to, innermost frame first"));
        if (document.Objects.IsEmpty)
        {
            output.WriteLine("  none");
        }

        string? frame = null;
        foreach (StackObject item in document.Objects)
        {
            string holder = item.Frame ?? "(the runtime)";
            if (holder != frame)
            {
                frame = holder;
                output.WriteLine($"  {style.Heading(frame)}");
            }

            string place = item.Register ?? (item.Place is { } slot ? $"{slot:x12}" : "?");
            string text = item.Text is { } content ? $"  \"{content}\"" : "";
            output.WriteLine($"    {place,-12}  {item.Address:x12}  {item.Type}{text}");
        }
    }
}
