using System.Globalization;
using System.Text.Json;

namespace Dump.Testing.Fixtures;

/// <summary>One small dump in <c>dumps-fixtures</c>, as its manifest describes it.</summary>
/// <param name="Name">Its name; the file is the name with the ending <c>.dmp</c>.</param>
/// <param name="File">File name inside the folder.</param>
/// <param name="Sample">The sample that hung.</param>
/// <param name="Arguments">The sample's options.</param>
/// <param name="State">What hangs, in a sentence.</param>
/// <param name="ExpectedVerdict">Id of the expected verdict; null when the dump shows no hang.</param>
/// <param name="ProcessId">The sample's process id.</param>
/// <param name="Threads">Thread ids by role, as the sample printed them.</param>
/// <param name="Addresses">Addresses of the sample's locks by name.</param>
public sealed record Fixture(
    string Name,
    string File,
    string Sample,
    IReadOnlyList<string> Arguments,
    string State,
    string? ExpectedVerdict,
    uint ProcessId,
    IReadOnlyDictionary<string, IReadOnlyList<uint>> Threads,
    IReadOnlyDictionary<string, string> Addresses)
{
    /// <summary>True when the writer did not stop the process and recorded no suspend counts.</summary>
    public bool Torn { get; init; }

    private static readonly JsonSerializerOptions Options = new() { PropertyNamingPolicy = JsonNamingPolicy.CamelCase };

    /// <summary>The folder of the fixtures.</summary>
    public static string Folder { get; } = System.IO.Path.Combine(Repository.Root, "dumps-fixtures");

    /// <summary>Every fixture of the manifest, in its order.</summary>
    public static IReadOnlyList<Fixture> All { get; } = ReadManifest();

    /// <summary>The dump file.</summary>
    public string Path => System.IO.Path.Combine(Folder, File);

    /// <summary>The fixture of that name.</summary>
    /// <exception cref="InvalidOperationException">The manifest does not know it.</exception>
    public static Fixture Named(string name) => All.Single(fixture => fixture.Name == name);

    /// <summary>The address of one of the sample's locks.</summary>
    public ulong Address(string name) => ulong.Parse(Addresses[name].AsSpan(2), NumberStyles.HexNumber, CultureInfo.InvariantCulture);

    private static List<Fixture> ReadManifest()
    {
        using var stream = System.IO.File.OpenRead(System.IO.Path.Combine(Folder, "manifest.json"));
        return JsonSerializer.Deserialize<List<Fixture>>(stream, Options)
            ?? throw new InvalidDataException("The manifest of the fixtures is empty.");
    }
}
