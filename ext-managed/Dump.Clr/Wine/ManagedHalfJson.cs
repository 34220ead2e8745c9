using System.Collections;
using System.Collections.Immutable;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using Dump.Model.Collections;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Waits;

namespace Dump.Clr.Wine;

/// <summary>
/// The managed half as JSON, between two processes of this same program. The reader trusts nothing of it: it comes from a process that had a hostile dump in
/// its hands. Members and elements of lists may not be missing or null where they cannot be, words must be those of the enumerations, lists that are never
/// empty must not be, and every text is cleaned.
/// </summary>
internal static class ManagedHalfJson
{
    private static readonly JsonSerializerOptions s_options = new()
    {
        RespectNullableAnnotations = true,
        RespectRequiredConstructorParameters = true,
        IgnoreReadOnlyProperties = true,
        Converters =
        {
            Words<AsyncLoss>(), Words<CaptureKind>(), Words<CollectionFaultKind>(), Words<CollectionKind>(), Words<CollectionScope>(), Words<EvidenceSource>(), Words<FrameTrust>(),
            Words<Grade>(), Words<HeapLookGap>(), Words<MissingKind>(), Words<AwaitEndKind>(),
            Words<RequestGap>(), Words<RequestKind>(), Words<RequestState>(), Words<ResourceKind>(), Words<SemaphoreUsers>(), Words<SymbolSource>(), Words<TaskState>(),
            Words<ThreadActivityKind>(), Words<WaitTimeout>(), new CleanTextConverter(),
        },
        TypeInfoResolver = ManagedHalfJsonContext.Default.WithAddedModifier(CheckLists),
    };

    /// <summary>What reads and writes with; every enumeration of the document is in its list of converters.</summary>
    internal static JsonSerializerOptions Options => s_options;

    /// <summary>Writes it; null for a process without a .NET runtime.</summary>
    public static void Write(Stream output, ManagedHalf? half) => JsonSerializer.Serialize(output, half, s_options.GetTypeInfo(typeof(ManagedHalf)));

    /// <summary>Reads a managed half back; null when the document says null.</summary>
    /// <exception cref="JsonException">It is not what <see cref="Write"/> writes.</exception>
    public static ManagedHalf? Read(Stream input)
    {
        var half = (ManagedHalf?)JsonSerializer.Deserialize(input, s_options.GetTypeInfo(typeof(ManagedHalf)));
        return half is null || NeverEmpty(half).All(n => n > 0) ? half : throw new JsonException("A list that is never empty is.");
    }

    /// <summary>An enumeration by its words alone. Each stands by its type: a program that is compiled ahead of time makes no converters of its own.</summary>
    private static JsonStringEnumConverter<T> Words<T>()
        where T : struct, Enum => new(namingPolicy: null, allowIntegerValues: false);

    /// <summary>Lengths of the lists of which the first or last element is taken without a question.</summary>
    private static IEnumerable<int> NeverEmpty(ManagedHalf half) =>
    [
        .. half.Collections.Select(c => c.Faults.Length), .. half.Collections.SelectMany(c => c.Faults).Where(f => f.IsCycle).Select(f => f.Path.Length),
        .. half.TaskWaits.Select(w => w.Steps.Length), .. half.AsyncWaits?.Cycles.Select(c => c.Links.Length) ?? [],
        .. half.AsyncWaits?.Calls.Select(c => c.Steps.Length) ?? [],
    ];

    /// <summary>The serializer lets elements of lists be null, and lists that have a default value be none at all.</summary>
    private static void CheckLists(JsonTypeInfo type)
    {
        (Func<object, object?> Get, bool HoldsObjects)[] lists = type.Kind != JsonTypeInfoKind.Object ? []
            : [.. type.Properties.Where(p => p.Get is not null && IsList(p.PropertyType))
                .Select(p => (p.Get!, !p.PropertyType.GetGenericArguments()[0].IsValueType))];
        if (lists.Length > 0)
        {
            type.OnDeserialized = read =>
            {
                foreach ((Func<object, object?> get, bool holdsObjects) in lists)
                {
                    Check(get(read), holdsObjects);
                }
            };
        }
    }

    private static bool IsList(Type type) => type.IsGenericType && type.GetGenericTypeDefinition() == typeof(ImmutableArray<>);

    private static void Check(object? list, bool holdsObjects)
    {
        if (list is not ICollection elements || !IsThere(elements))
        {
            throw new JsonException("A list is missing.");
        }

        if (holdsObjects && elements.Cast<object?>().Contains(null))
        {
            throw new JsonException("An element of a list is null.");
        }
    }

    /// <summary>A list that is none can, boxed, be asked for nothing.</summary>
    private static bool IsThere(ICollection list)
    {
        try
        {
            return list.Count >= 0;
        }
        catch (InvalidOperationException)
        {
            return false;
        }
    }
}

[JsonSerializable(typeof(ManagedHalf))]
internal sealed partial class ManagedHalfJsonContext : JsonSerializerContext;

/// <summary>Reads text as untrusted.</summary>
internal sealed class CleanTextConverter : JsonConverter<string>
{
    private const int LongestText = 4_096;

    public override string? Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        reader.GetString() is { } text ? SafeText.Clean(text, LongestText) : null;

    public override void Write(Utf8JsonWriter writer, string value, JsonSerializerOptions options) => writer.WriteStringValue(value);
}
