using System.Text.Json;
using System.Text.Json.Serialization;

namespace Dump.Clr.Wine;

/// <summary>
/// The managed half as JSON, between two processes of this same program. The reader trusts nothing of it: it comes from a process that had a hostile dump in
/// its hands. Members may not be missing or null where they cannot be, words must be those of the enumerations, and every text is cleaned.
/// </summary>
internal static class ManagedHalfJson
{
    private static readonly JsonSerializerOptions s_options = new()
    {
        RespectNullableAnnotations = true,
        RespectRequiredConstructorParameters = true,
        IgnoreReadOnlyProperties = true,
        Converters = { new JsonStringEnumConverter(allowIntegerValues: false), new CleanTextConverter() },
    };

    private static readonly ManagedHalfJsonContext s_context = new(s_options);

    /// <summary>Writes it; null for a process without a .NET runtime.</summary>
    public static void Write(Stream output, ManagedHalf? half) => JsonSerializer.Serialize(output, half, typeof(ManagedHalf), s_context);

    /// <summary>Reads a managed half back; null when the document says null.</summary>
    /// <exception cref="JsonException">It is not what <see cref="Write"/> writes.</exception>
    public static ManagedHalf? Read(Stream input) => (ManagedHalf?)JsonSerializer.Deserialize(input, typeof(ManagedHalf), s_context);
}
