using System.Text.Json.Nodes;

namespace Dump.Packaging;

/// <summary>
/// The bill of materials of a container image: that of the program's folder in it, and Debian's packages with the files that the image has of them. Their
/// terms are files of the image, which the bill names.
/// </summary>
public static class ImageBill
{
    /// <summary>The folder of the image that has the program.</summary>
    public const string ProgramFolder = "app";

    private const string System = "usr/lib/os-release";

    /// <summary>Writes it.</summary>
    /// <param name="root">The image's root folder.</param>
    /// <param name="components">Components of the program's folder.</param>
    /// <param name="texts">What the packages say of themselves, by the component's name.</param>
    public static string Write(string root, IReadOnlyList<ShippedComponent> components, IReadOnlyDictionary<string, PackageTexts> texts)
    {
        JsonObject bill = JsonNode.Parse(SoftwareBill.Write(Path.Combine(root, ProgramFolder), components, texts))!.AsObject();
        Dictionary<string, string> system = File.ReadLines(Path.Combine(root, System)).Select(l => l.Split('=', 2)).Where(f => f.Length == 2)
            .ToDictionary(f => f[0], f => f[1].Trim('"'));
        string distribution = $"{system["ID"]}-{system["VERSION_ID"]}";
        foreach (JsonObject part in bill["components"]!.AsArray().Select(c => c!.AsObject()).Append(bill["metadata"]!["component"]!.AsObject()))
        {
            foreach (JsonNode? file in part["components"]!.AsArray())
            {
                file!["name"] = $"{ProgramFolder}/{file["name"]}";
            }
        }

        foreach (SystemPackage package in SystemPackage.Read(root))
        {
            string reference = package.Reference(distribution);
            bill["components"]!.AsArray().Add((JsonNode)new JsonObject
            {
                ["type"] = "library",
                ["bom-ref"] = reference,
                ["name"] = package.Name,
                ["version"] = package.Version,
                ["licenses"] = new JsonArray(new JsonObject { ["license"] = new JsonObject { ["name"] = $"as {package.Terms} says" } }),
                ["purl"] = reference,
                ["components"] = SoftwareBill.Files(root, [.. package.Files, package.Terms]),
            });
            bill["dependencies"]![0]!["dependsOn"]!.AsArray().Add(reference);
            bill["compositions"]![1]!["assemblies"]!.AsArray().Add(reference);
        }

        return SoftwareBill.Finish(bill);
    }
}
