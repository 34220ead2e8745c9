using System.Collections.Immutable;
using System.Reflection;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Schema;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using Dump.Model.Contract;
using Dump.Model.Reported;
using Dump.Reports.Json;
using Dump.Testing;

namespace Dump.Reports.Tests;

/// <summary>
/// <c>docs/json-schema.json</c> as it must be: what is written from records comes from their contract, with the records' docstrings;
/// the other parts are kept as the file has them.
/// </summary>
internal sealed class SchemaFile
{
    private const string Definitions = "$defs";

    private static readonly (string Name, Type Record, string Schema, string Command)[] s_documents =
    [
        ("report", typeof(HangReport), SchemaNames.Report, "dumpanalyze FILE [SECOND], live PID; threads FILE, without the fields of a judgement"),
        ("chains", typeof(ChainDocument), SchemaNames.Chains, "dumpanalyze lockchain FILE"),
        ("locks", typeof(LockDocument), SchemaNames.Locks, "dumpanalyze locks FILE"),
        ("tasks", typeof(TaskDocument), SchemaNames.Tasks, "dumpanalyze tasks FILE, tasks live PID"),
        ("requests", typeof(RequestDocument), SchemaNames.Requests, "dumpanalyze requests FILE, requests live PID"),
        ("tree", typeof(StackTreeDocument), SchemaNames.StackTree, "dumpanalyze threads FILE --tree"),
        ("collections", typeof(CollectionDocument), SchemaNames.Collections, "dumpanalyze dictloop FILE"),
        ("object", typeof(ObjectDocument), SchemaNames.ManagedObject, "dumpanalyze object FILE ADDRESS"),
        ("stackobjects", typeof(StackObjectDocument), SchemaNames.StackObjects, "dumpanalyze stackobjects FILE TID"),
    ];

    private static readonly string[] s_documentsByHand = ["raw", "detectors", "overview", "record", "triage", "capture", "notice"];

    // The parts of those that are written field by field, and they themselves.
    private static readonly ImmutableHashSet<string> s_byHand =
    [
        "raw", "detectors", "overview", "bucket", "triagedDump", "nameCount", "record", "dumpPlace", "triage", "capture", "notice",
        "identity", "moment", "threadId", "hexadecimal",
    ];

    private static readonly JsonSerializerOptions s_oneLine = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    // Fields that only a judgement has.
    private static readonly ImmutableHashSet<string> s_ofJudgement = ["undecidable", "verdicts", "detectors", "focus"];

    private readonly RecordTexts _texts = new();
    private readonly JsonObject _definitions = [];
    private readonly Dictionary<Type, JsonNode> _entries = [];
    private string _schema = "";

    private SchemaFile()
    {
    }

    /// <summary>The file's folder.</summary>
    public static GoldenFolder Folder { get; } = new(Path.Combine(Repository.Root, "docs"));

    /// <summary>The file's name.</summary>
    public const string Name = "json-schema.json";

    /// <summary>Makes its content.</summary>
    public static string Make()
    {
        SchemaFile made = new();
        JsonObject file = JsonNode.Parse(File.ReadAllText(Path.Combine(Folder.Path, Name)))!.AsObject();
        foreach ((string name, Type record, string schema, string command) in s_documents)
        {
            made._schema = schema;
            JsonSchemaExporterOptions options = new() { TreatNullObliviousAsNonNullable = true, TransformSchemaNode = made.Transform };
            JsonNode root = JsonContract.Options.GetJsonSchemaAsNode(record, options);
            root["description"] = command;
            made._definitions[name] = root.DeepClone();
        }

        JsonObject all = [];
        foreach ((string name, JsonNode? kept) in file[Definitions]!.AsObject().Where(d => s_byHand.Contains(d.Key)))
        {
            all[name] = kept!.DeepClone();
        }

        foreach ((string name, JsonNode? definition) in made._definitions)
        {
            all[name] = definition!.DeepClone();
        }

        file[Definitions] = all;
        IEnumerable<string> names = s_documents.Select(d => d.Name).Concat(s_documentsByHand);
        file["oneOf"] = new JsonArray([.. names.Select(n => new JsonObject { ["$ref"] = $"#/{Definitions}/{n}" })]);
        return Text(file, "") + "\n";
    }

    private JsonNode Transform(JsonSchemaExporterContext context, JsonNode node)
    {
        Type type = Nullable.GetUnderlyingType(context.TypeInfo.Type) ?? context.TypeInfo.Type;
        JsonObject part = Leaf(context.TypeInfo.Type, context.PropertyInfo)
            ?? (context.TypeInfo.Kind == JsonTypeInfoKind.Enumerable ? List(type, node["items"]) : Object(context, type, node));
        return Described(part, context.PropertyInfo);
    }

    /// <summary>What is neither a list nor an object; null for those.</summary>
    private JsonObject? Leaf(Type declared, JsonPropertyInfo? property)
    {
        Type type = Nullable.GetUnderlyingType(declared) ?? declared;
        bool isLeftOut = property is not null && IsLeftOut(property);
        bool mayBeNull = !isLeftOut && (type != declared || property is { IsGetNullable: true } or { Name: "identity" });
        return property?.Name == "schema" ? new JsonObject { ["const"] = _schema }
            : declared == typeof(bool) && isLeftOut ? new JsonObject { ["const"] = true }
            : type == typeof(string) ? Typed("string", mayBeNull)
            : type == typeof(ulong) ? Pattern(HexadecimalConverter.Pattern, mayBeNull)
            : type == typeof(DateTime) ? Pattern(MomentConverter.Pattern, mayBeNull)
            : type == typeof(uint) ? Typed("integer", mayBeNull, ("minimum", 0), ("maximum", uint.MaxValue))
            : type == typeof(int) || type == typeof(long) ? Typed("integer", mayBeNull)
            : type == typeof(bool) ? Typed("boolean", mayBeNull)
            : type.IsEnum ? Names(type, mayBeNull)
            : null;
    }

    private JsonObject Described(JsonObject part, JsonPropertyInfo? property)
    {
        if (property?.AttributeProvider is MemberInfo member && _texts.Of(member) is { } text)
        {
            part["description"] = text;
        }

        return part;
    }

    /// <summary>
    /// A list. Where its type comes again, the exporter only points to the place where it came first; of entries with a converter of their own, which are
    /// texts, it says nothing.
    /// </summary>
    private JsonObject List(Type type, JsonNode? items)
    {
        JsonNode entry = items?.DeepClone() ?? _entries.GetValueOrDefault(type)?.DeepClone() ?? Typed("string", mayBeNull: false);
        _entries[type] = entry.DeepClone();
        return new JsonObject { ["type"] = "array", ["items"] = entry };
    }

    /// <summary>An object: the document itself, or a reference to a part that stands beside it.</summary>
    private JsonObject Object(JsonSchemaExporterContext context, Type type, JsonNode node)
    {
        string name = Definition(type);
        if (node["properties"]?.AsObject() is { } properties)
        {
            JsonObject part = new()
            {
                ["type"] = "object",
                ["description"] = _texts.Of(type),
                ["required"] = new JsonArray([.. context.TypeInfo.Properties.Where(p => IsAlwaysWritten(type, p)).Select(p => JsonValue.Create(p.Name))]),
                ["properties"] = Properties(context.TypeInfo, properties),
            };
            if (context.Path.IsEmpty)
            {
                return part;
            }

            _definitions[name] = part;
        }

        JsonObject reference = new() { ["$ref"] = $"#/{Definitions}/{name}" };
        return context.PropertyInfo is { IsGetNullable: true } property && !IsLeftOut(property)
            ? new JsonObject { ["anyOf"] = new JsonArray(reference, new JsonObject { ["type"] = "null" }) }
            : reference;
    }

    /// <summary>
    /// The fields of an object. Of one that its record's constructor has a default for, the exporter says the default alone, which no reader of JSON sees.
    /// </summary>
    private JsonObject Properties(JsonTypeInfo type, JsonObject exported)
    {
        JsonObject fields = [];
        foreach (JsonPropertyInfo property in type.Properties)
        {
            JsonNode field = exported[property.Name]!;
            fields[property.Name] = !field.AsObject().ContainsKey("default")
                ? field.DeepClone()
                : Described(Leaf(property.PropertyType, property) ?? throw new NotSupportedException($"{property.Name} has a default"), property);
        }

        return fields;
    }

    /// <summary>JSON with a line for each part that fits on one.</summary>
    private static string Text(JsonNode? node, string indent)
    {
        const int LongestLine = 160;
        string line = node?.ToJsonString(s_oneLine) ?? "null";
        if (indent.Length + line.Length < LongestLine || node is not (JsonObject or JsonArray))
        {
            return line;
        }

        string inner = indent + "  ";
        IEnumerable<string> parts = node is JsonObject fields
            ? fields.Select(f => $"{JsonValue.Create(f.Key).ToJsonString(s_oneLine)}: {Text(f.Value, inner)}")
            : node.AsArray().Select(e => Text(e, inner));
        string all = string.Join($",\n{inner}", parts);
        return node is JsonObject ? $"{{\n{inner}{all}\n{indent}}}" : $"[\n{inner}{all}\n{indent}]";
    }

    private static string Definition(Type type)
    {
        const string Prefix = "Reported";
        return JsonNamingPolicy.CamelCase.ConvertName(type.Name.StartsWith(Prefix, StringComparison.Ordinal) ? type.Name[Prefix.Length..] : type.Name);
    }

    private static bool IsAlwaysWritten(Type type, JsonPropertyInfo property) =>
        !IsLeftOut(property) && (type != typeof(HangReport) || !s_ofJudgement.Contains(property.Name));

    /// <summary>True for a field that is left out where it has nothing to say.</summary>
    private static bool IsLeftOut(JsonPropertyInfo property) => property.AttributeProvider?.IsDefined(typeof(JsonIgnoreAttribute), false) == true;

    private static JsonObject Names(Type type, bool mayBeNull)
    {
        JsonArray names = [.. Enum.GetNames(type).Select(n => (JsonNode?)JsonValue.Create(n))];
        if (mayBeNull)
        {
            names.Add(null);
        }

        return new JsonObject { ["enum"] = names };
    }

    private static JsonObject Pattern(string pattern, bool mayBeNull)
    {
        JsonObject part = Typed("string", mayBeNull);
        part["pattern"] = pattern;
        return part;
    }

    private static JsonObject Typed(string name, bool mayBeNull, params (string Word, long Value)[] limits)
    {
        JsonObject part = new() { ["type"] = mayBeNull ? new JsonArray(name, "null") : JsonValue.Create(name) };
        foreach ((string word, long value) in limits)
        {
            part[word] = value;
        }

        return part;
    }
}
