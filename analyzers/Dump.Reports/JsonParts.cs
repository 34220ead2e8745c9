using System.Collections.Immutable;
using System.Text.Json;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;

namespace Dump.Reports;

/// <summary>Parts that occur in several places of the JSON report.</summary>
internal static class JsonParts
{
    public static void Address(Utf8JsonWriter json, string name, ulong? value)
    {
        if (value is { } address)
        {
            json.WriteString(name, $"0x{address:x}");
        }
        else
        {
            json.WriteNull(name);
        }
    }

    public static void Texts(Utf8JsonWriter json, string name, IEnumerable<string> texts)
    {
        json.WriteStartArray(name);
        foreach (string text in texts)
        {
            json.WriteStringValue(text);
        }

        json.WriteEndArray();
    }

    public static void Number(Utf8JsonWriter json, string name, long? value)
    {
        if (value is { } number)
        {
            json.WriteNumber(name, number);
        }
        else
        {
            json.WriteNull(name);
        }
    }

    public static void Flag(Utf8JsonWriter json, string name, bool? value)
    {
        if (value is { } flag)
        {
            json.WriteBoolean(name, flag);
        }
        else
        {
            json.WriteNull(name);
        }
    }

    public static void Evidence(Utf8JsonWriter json, ImmutableArray<Evidence> evidence)
    {
        json.WriteStartArray("evidence");
        foreach (Evidence item in evidence)
        {
            json.WriteStartObject();
            json.WriteString("source", item.Source.ToString());
            json.WriteString("text", item.Text);
            Address(json, "address", item.Address);
            Address(json, "value", item.Value);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    public static void Resource(Utf8JsonWriter json, Resource resource)
    {
        json.WriteStartObject("resource");
        json.WriteString("kind", resource.Kind.ToString());
        Address(json, "identity", resource.Identity == 0 ? null : resource.Identity);
        json.WriteEndObject();
    }

    public static void Missing(Utf8JsonWriter json, string name, ImmutableArray<MissingData> missing)
    {
        json.WriteStartArray(name);
        foreach (MissingData item in missing)
        {
            json.WriteStartObject();
            json.WriteString("what", item.What);
            json.WriteString("consequence", item.Consequence);
            json.WriteString("captureAdvice", item.CaptureAdvice);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    public static void Frame(Utf8JsonWriter json, int index, StackFrame frame)
    {
        json.WriteStartObject();
        json.WriteNumber("index", index);
        Address(json, "instructionPointer", frame.InstructionPointer);
        Address(json, "stackPointer", frame.StackPointer);
        json.WriteString("module", frame.Module);
        Address(json, "moduleOffset", frame.ModuleOffset);
        json.WriteString("function", frame.Function);
        Address(json, "functionOffset", frame.FunctionOffset);
        json.WriteString("trust", frame.Trust.ToString());
        json.WriteString("symbol", frame.Symbol.ToString());
        if (frame.EnteredAs is { } entry)
        {
            json.WriteString("enteredAs", entry);
        }

        if (frame.Tag is { } tag)
        {
            json.WriteString("tag", tag);
        }

        json.WriteEndObject();
    }
}
