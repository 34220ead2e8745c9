using System.Security.Cryptography;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace Dump.Packaging;

/// <summary>
/// The bill of materials of a package as CycloneDX JSON: the packages with version, licence and hash, each with the files that it brought and their SHA-256.
/// What is linked into the runtime's own libraries is not taken apart here, and the bill says so.
/// </summary>
public static class SoftwareBill
{
    private static readonly JsonSerializerOptions s_layout = new() { WriteIndented = true, Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    /// <summary>Writes it. The same files give the same text: it has no date, and its serial number is made of the rest.</summary>
    /// <param name="folder">The folder with the files.</param>
    /// <param name="components">Its components.</param>
    /// <param name="texts">What the packages say of themselves, by the component's name.</param>
    public static string Write(string folder, IReadOnlyList<ShippedComponent> components, IReadOnlyDictionary<string, PackageTexts> texts)
    {
        ShippedComponent program = components.Single(c => c.IsOwn);
        ShippedComponent[] foreign = [.. components.Where(c => !c.IsOwn)];
        JsonObject own = Describe(program, "application", "MIT", Reference(program));
        own["components"] = Files(folder, program.Files);
        JsonArray parts = [.. foreign.Select(c => (JsonNode)Part(folder, c, texts[c.Name]))];
        JsonArray runtimes = [.. foreign.Where(c => c.Name.StartsWith("Microsoft.NETCore.App.", StringComparison.Ordinal)).Select(c => (JsonNode)Reference(c))];
        JsonObject bill = new()
        {
            ["bomFormat"] = "CycloneDX",
            ["specVersion"] = "1.6",
            ["version"] = 1,
            ["metadata"] = new JsonObject { ["component"] = own },
            ["components"] = parts,
            ["dependencies"] = new JsonArray(new JsonObject
            {
                ["ref"] = Reference(program),
                ["dependsOn"] = new JsonArray([.. foreign.Select(c => (JsonNode)Reference(c))]),
            }),
            ["compositions"] = new JsonArray(
                new JsonObject { ["aggregate"] = "complete", ["assemblies"] = new JsonArray(Reference(program)) },
                new JsonObject { ["aggregate"] = "incomplete", ["assemblies"] = runtimes }),
        };
        return Finish(bill);
    }

    /// <summary>Gives a bill its serial number, and its text.</summary>
    internal static string Finish(JsonObject bill)
    {
        bill.Remove("serialNumber");
        byte[] identity = SHA256.HashData(Encoding.UTF8.GetBytes(bill.ToJsonString(s_layout)))[..16];

        // The bits of a UUID of version 8, whose contents the maker chooses (RFC 9562).
        identity[6] = (byte)((identity[6] & 0x0f) | 0x80);
        identity[8] = (byte)((identity[8] & 0x3f) | 0x80);
        bill.Insert(2, "serialNumber", $"urn:uuid:{new Guid(identity, bigEndian: true)}");
        return bill.ToJsonString(s_layout) + "\n";
    }

    private static JsonObject Part(string folder, ShippedComponent component, PackageTexts texts)
    {
        JsonObject part = Describe(component, "library", texts.License, Reference(component));
        part["purl"] = Reference(component);
        if (texts.Copyright is not null)
        {
            part["copyright"] = texts.Copyright;
        }

        if (texts.Hash is not null)
        {
            part["hashes"] = new JsonArray(new JsonObject { ["alg"] = "SHA-512", ["content"] = texts.Hash });
        }

        part["components"] = Files(folder, component.Files);
        return part;
    }

    private static JsonObject Describe(ShippedComponent component, string type, string license, string reference) => new()
    {
        ["type"] = type,
        ["bom-ref"] = reference,
        ["name"] = component.Name,
        ["version"] = component.Version,
        ["licenses"] = new JsonArray(new JsonObject { ["license"] = new JsonObject { ["id"] = license } }),
    };

    /// <summary>Files with their hashes.</summary>
    internal static JsonArray Files(string folder, IEnumerable<string> files) =>
    [
        .. files.Select(f => (JsonNode)new JsonObject
        {
            ["type"] = "file",
            ["name"] = f,
            ["hashes"] = new JsonArray(new JsonObject
            {
                ["alg"] = "SHA-256",
                ["content"] = Convert.ToHexStringLower(SHA256.HashData(File.ReadAllBytes(Path.Combine(folder, f)))),
            }),
        }),
    ];

    private static string Reference(ShippedComponent component) =>
        component.IsOwn ? $"{component.Name}@{component.Version}" : $"pkg:nuget/{component.Name}@{component.Version}";
}
