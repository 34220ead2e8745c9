using System.Collections;
using System.Collections.Frozen;
using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using Dump.Model.Collections;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Reports.Json;

/// <summary>
/// How the records of documents are written as JSON and read back: the one place where forms of values and what is left out are decided.
/// </summary>
internal static class JsonContract
{
    // As deep as documents nest, and some more.
    public const int DeepestNesting = 64;

    /// <summary>The contract.</summary>
    public static JsonSerializerOptions Options { get; } = new()
    {
        MaxDepth = DeepestNesting,
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        TypeInfoResolver = ReportJsonContext.Default.WithAddedModifier(Adapt),
        Converters =
        {
            new HexadecimalConverter(),
            new MomentConverter(),
            new TextConverter(),
            new NameConverter<Confidence>(),
            new NameConverter<DetectorOutcomeKind>(),
            new NameConverter<Grade>(Grade.Suspected),
            new NameConverter<EvidenceSource>(EvidenceSource.Rule),
            new NameConverter<ResourceKind>(ResourceKind.Unknown),
            new NameConverter<WaitTimeout>(WaitTimeout.Unknown),
            new NameConverter<VictimKind>(VictimKind.Thread),
            new NameConverter<FrameTrust>(FrameTrust.Scan),
            new NameConverter<SymbolSource>(SymbolSource.None),
            new NameConverter<StackEnd>(StackEnd.Inconsistent),
            new NameConverter<ThreadActivityKind>(ThreadActivityKind.Unknown),
            new NameConverter<ComApartmentKind>(ComApartmentKind.NotInDump),
            new NameConverter<ProcessorArchitecture>(ProcessorArchitecture.Unknown),
            new NameConverter<OperatingSystemFamily>(OperatingSystemFamily.Windows),
            new NameConverter<OpenWaitKind>(OpenWaitKind.Unknown),
            new NameConverter<MissingKind>(MissingKind.Unknown),
            new NameConverter<CaptureKind>(CaptureKind.AsGiven),
            new NameConverter<MemoryAccess>(MemoryAccess.Unknown),
            new NameConverter<AsyncLoss>(AsyncLoss.None),
            new NameConverter<RequestKind>(),
            new NameConverter<RequestState>(RequestState.Unknown),
            new NameConverter<RequestGap>(RequestGap.UncheckedVersion),
            new NameConverter<CollectionScope>(),
            new NameConverter<CollectionKind>(),
            new NameConverter<CollectionFaultKind>(),
        },
    };

    /// <summary>What the contract says of a document or a part of one.</summary>
    public static JsonTypeInfo<T> Of<T>() => (JsonTypeInfo<T>)Options.GetTypeInfo(typeof(T));

    private static void Adapt(JsonTypeInfo type)
    {
        foreach (JsonPropertyInfo property in type.Properties.ToArray())
        {
            if ((property.Set is null && property.Name != "schema") || property.PropertyType == typeof(MethodPlace))
            {
                // What follows from other fields, and what lines are looked for by.
                type.Properties.Remove(property);
            }
            else if (property.Name == "index")
            {
                property.CustomConverter = new IndexConverter();
            }
            else if (type.Type == typeof(Resource) && property.Name == "identity")
            {
                property.CustomConverter = new IdentityConverter();
            }
            else if (property.AttributeProvider?.IsDefined(typeof(JsonIgnoreAttribute), false) == true && IsList(property.PropertyType))
            {
                property.ShouldSerialize = (_, value) => value is ICollection { Count: > 0 };
            }
        }
    }

    private static bool IsList(Type type) => type.IsValueType && type.IsAssignableTo(typeof(ICollection));
}

/// <summary>The identity of a resource: hexadecimal, and null for 0, which is none.</summary>
internal sealed class IdentityConverter : JsonConverter<ulong>
{
    private static readonly HexadecimalConverter s_number = new();

    /// <inheritdoc/>
    public override ulong Read(
        ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) => s_number.Read(ref reader, typeToConvert, options);

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, ulong value, JsonSerializerOptions options)
    {
        if (value == 0)
        {
            writer.WriteNullValue();
        }
        else
        {
            s_number.Write(writer, value, options);
        }
    }
}

/// <summary>Places in lists: never negative.</summary>
internal sealed class IndexConverter : JsonConverter<int>
{
    /// <inheritdoc/>
    public override int Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        reader.TokenType == JsonTokenType.Number && reader.TryGetInt32(out int value) && value >= 0
            ? value
            : throw new DamagedFieldException("is no place in a list");

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, int value, JsonSerializerOptions options) => writer.WriteNumberValue(value);
}

/// <summary>Moments in UTC and whole seconds.</summary>
internal sealed class MomentConverter : JsonConverter<DateTime>
{
    /// <summary>What such a text looks like.</summary>
    public const string Pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$";

    private const string Format = "yyyy-MM-dd'T'HH:mm:ss'Z'";

    /// <inheritdoc/>
    public override DateTime Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        reader.TokenType == JsonTokenType.String
            && DateTime.TryParseExact(reader.GetString(), Format, CultureInfo.InvariantCulture,
                DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal, out DateTime moment)
            ? moment
            : throw new DamagedFieldException("is no moment");

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, DateTime value, JsonSerializerOptions options) =>
        writer.WriteStringValue(value.ToString(Format, CultureInfo.InvariantCulture));
}

/// <summary>Values of an enumeration by their names.</summary>
/// <param name="unknown">What stands for a name that only a newer version knows: the weakest value. Null for an enumeration that decides over what is found:
/// there no other value may stand in, and an unknown name is damage.</param>
internal sealed class NameConverter<T>(T? unknown = null) : JsonConverter<T>
    where T : struct, Enum
{
    /// <summary>Most characters of a name that is quoted.</summary>
    private const int LongestName = 100;

    private static readonly FrozenDictionary<string, T> s_values = Enum.GetNames<T>().ToFrozenDictionary(n => n, Enum.Parse<T>, StringComparer.Ordinal);

    /// <inheritdoc/>
    public override T Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        string name = reader.TokenType == JsonTokenType.String ? reader.GetString()! : throw new DamagedFieldException("is not a text");
        return s_values.TryGetValue(name, out T value) ? value
            : unknown ?? throw new DamagedFieldException($"is '{SafeText.Clean(name, LongestName)}', which this version does not know");
    }

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, T value, JsonSerializerOptions options) => writer.WriteStringValue(value.ToString());
}

/// <summary>Texts. Those that are read have been cleaned before (<see cref="StoredJson"/>).</summary>
internal sealed class TextConverter : JsonConverter<string>
{
    /// <inheritdoc/>
    public override string Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        reader.TokenType == JsonTokenType.String ? RecentTexts.Shared(reader.GetString()!) : throw new DamagedFieldException("is not a text");

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, string value, JsonSerializerOptions options) => writer.WriteStringValue(value);
}

/// <summary>Addresses and other 64-bit values as <c>"0x7ffe0300"</c>: JSON numbers lose bits above 2^53.</summary>
internal sealed class HexadecimalConverter : JsonConverter<ulong>
{
    /// <summary>What such a text looks like.</summary>
    public const string Pattern = "^0x[0-9a-f]{1,16}$";

    /// <inheritdoc/>
    public override ulong Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        reader.TokenType == JsonTokenType.String && reader.GetString() is { } text && text.StartsWith("0x", StringComparison.Ordinal)
            && ulong.TryParse(text.AsSpan(2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ulong value)
            ? value
            : throw new DamagedFieldException("is no hexadecimal number");

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, ulong value, JsonSerializerOptions options) => writer.WriteStringValue($"0x{value:x}");
}

/// <summary>The value of a field is none that the field can have.</summary>
/// <param name="message">What is wrong, as a clause that follows the field's name.</param>
internal sealed class DamagedFieldException(string message) : JsonException(message);
