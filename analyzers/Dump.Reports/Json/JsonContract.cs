using System.Collections;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using Dump.Model.Collections;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;
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
