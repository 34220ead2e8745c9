using Dump.Model.Managed;
using Dump.Model.Reported;
using Dump.Reports.Json;

namespace Dump.Reports;

/// <summary>The objects of a stack as text or JSON.</summary>
public static class StackObjectsReport
{
    /// <summary>Writes them for people, under the frames that hold them.</summary>
    public static void WriteText(uint threadId, IReadOnlyList<StackObject> objects, TextWriter output, TextStyle style)
    {
        output.WriteLine(style.Heading($"Objects that thread 0x{threadId:x} refers to, innermost frame first"));
        if (objects.Count == 0)
        {
            output.WriteLine("  none");
        }

        string? frame = null;
        foreach (StackObject item in objects)
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

    /// <summary>Writes them for programs.</summary>
    public static void WriteJson(uint threadId, IReadOnlyList<StackObject> objects, Stream output) => JsonReport.Write(new StackObjectDocument(threadId, [.. objects]), output);
}
