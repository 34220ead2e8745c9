using System.Text;

namespace Dump.Packaging;

/// <summary>The text <c>THIRD-PARTY-NOTICES.txt</c> of a package: what is inside that others made, and under which terms.</summary>
public static class NoticeText
{
    private const string Rule = "----------------------------------------------------------------------";

    /// <summary>Writes it.</summary>
    /// <param name="components">All components; the program's own is left out, for LICENSE speaks of it.</param>
    /// <param name="texts">What the packages say of themselves, by the component's name.</param>
    public static string Write(IReadOnlyList<ShippedComponent> components, IReadOnlyDictionary<string, PackageTexts> texts)
    {
        ShippedComponent[] foreign = [.. components.Where(c => !c.IsOwn)];
        StringBuilder text = new();
        text.Append("""
            dumpanalyze contains or is compiled together with the following components. Azure.Core.dll is not Microsoft's library of that name: it is this
            program's own, with two empty types that ClrMD names. dumpanalyze.r2r.dll, where there is one, is machine code of all assemblies beside it. What is
            listed without files is machine code inside of dumpanalyze.


            """);
        foreach (ShippedComponent component in foreign)
        {
            text.Append($"{component.Name} {component.Version} ({texts[component.Name].License}): {Files(component)}\n");
        }

        foreach (ShippedComponent component in foreign)
        {
            text.Append($"\n{Rule}\n{component.Name} {component.Version}\n");
            if (texts[component.Name].Home is { } home)
            {
                text.Append($"{home}\n");
            }

            text.Append($"{Rule}\n\n").AppendJoin("\n", texts[component.Name].Texts);
        }

        return text.ToString();
    }

    private static string Files(ShippedComponent component) => component.Files.Count > 0 ? string.Join(", ", component.Files) : "inside of dumpanalyze";
}
