using System.Globalization;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;
using Dump.Model.Text;

namespace Dump.Cli.Serving;

/// <summary>A JSON document, or one list of it, that is not longer than a limit: lists lose whole elements from their end, the longest lists first.</summary>
internal sealed class JsonPage
{
    private const int Least = 200;
    private const string Cut = "... [cut]";
    private static readonly JsonWriterOptions s_form = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };
    private readonly List<string> _leftOut = [];

    /// <summary>Takes a part.</summary>
    /// <param name="json">The document: an object.</param>
    /// <param name="list">Name of the one list at its top that is asked for; null for the whole document.</param>
    /// <param name="from">The first of its elements.</param>
    /// <param name="limit">Most characters; more than a few hundred.</param>
    /// <returns>The part, and what was left out and how to ask for it; null when nothing was.</returns>
    /// <exception cref="RefusedRequestException">There is no such list or element.</exception>
    public static (string Text, string? LeftOut) Take(ReadOnlySpan<byte> json, string? list, int from, int limit)
    {
        JsonObject document = JsonNode.Parse(json, documentOptions: new JsonDocumentOptions { MaxDepth = 256 })!.AsObject();
        JsonPage page = new();
        if (list is not null)
        {
            document = Only(document, list, from);
        }

        page.Fit(document, limit, "", list is null ? 0 : from);
        string text = Write(document);
        return (text, page._leftOut.Count == 0 ? null : $"Left out to keep the answer short: {string.Join("; ", page._leftOut)}.");
    }

    private static JsonObject Only(JsonObject document, string list, int from)
    {
        if (document[list] is not JsonArray whole)
        {
            string names = string.Join(", ", document.Where(p => p.Value is JsonArray).Select(p => p.Key));
            throw new RefusedRequestException($"the document has no list {SafeText.Quote(SafeText.Clean(list, 60))}; it has: {names}");
        }

        if (from > 0 && from >= whole.Count)
        {
            throw new RefusedRequestException(string.Create(CultureInfo.InvariantCulture,
                $"{ServedTools.From} {from} is behind the end: {list} has {whole.Count} elements, counted from 0"));
        }

        whole.RemoveRange(0, from);
        foreach (string other in document.Select(p => p.Key).Where(k => k != list && k != "schema").ToArray())
        {
            document.Remove(other);
        }

        return document;
    }

    private void Fit(JsonNode node, int limit, string path, int from)
    {
        if (node is JsonObject fields)
        {
            FitFields(fields, limit, path, from);
        }
        else if (node is JsonArray elements)
        {
            FitElements(elements, limit, path, from);
        }
    }

    /// <summary>The longest fields become shorter until all fit.</summary>
    private void FitFields(JsonObject fields, int limit, string path, int from)
    {
        int size = Length(fields);
        foreach ((string name, JsonNode? value) in fields.OrderByDescending(f => Length(f.Value)).ToArray())
        {
            if (size <= limit)
            {
                return;
            }

            int before = Length(value);
            int allowed = Math.Max(Least, limit - (size - before));
            if (value is JsonValue && value.GetValueKind() == JsonValueKind.String && before > allowed)
            {
                string text = value.GetValue<string>();
                fields[name] = string.Concat(text.AsSpan(0, Math.Min(text.Length, allowed / 2)), Cut);
                _leftOut.Add($"{path}{name} is cut");
            }
            else if (value is not null && before > allowed)
            {
                Fit(value, allowed, value is JsonObject ? $"{path}{name}." : $"{path}{name}", path.Length == 0 ? from : 0);
            }

            size += Length(fields[name]) - before;
        }
    }

    private void FitElements(JsonArray elements, int limit, string path, int from)
    {
        int all = elements.Count;
        int kept = 0;
        int size = 2;
        for (; kept < all && size + Length(elements[kept]) + 1 <= limit; kept++)
        {
            size += Length(elements[kept]) + 1;
        }

        // One element that is too long by itself is sent cut: without it nobody could read on.
        bool cutsFirst = kept == 0 && limit > 2 * Least && elements[0] is JsonObject or JsonArray;
        kept = cutsFirst ? 1 : kept;
        if (kept < all)
        {
            elements.RemoveRange(kept, all - kept);
            _leftOut.Add(string.Create(CultureInfo.InvariantCulture, $"{path} has {all - kept} elements more") + (path.Contains('.', StringComparison.Ordinal)
                || path.Contains('[', StringComparison.Ordinal) ? ""
                : string.Create(CultureInfo.InvariantCulture, $" (ask again with {ServedTools.List} {path} and {ServedTools.From} {from + kept})")));
        }

        if (cutsFirst)
        {
            Fit(elements[0]!, limit - 4, string.Create(CultureInfo.InvariantCulture, $"{path}[{from}]."), 0);
        }
    }

    private static int Length(JsonNode? node) => Write(node).Length;

    private static string Write(JsonNode? node)
    {
        if (node is null)
        {
            return "null";
        }

        using MemoryStream text = new();
        using (Utf8JsonWriter json = new(text, s_form))
        {
            node.WriteTo(json);
        }

        return Encoding.UTF8.GetString(text.GetBuffer(), 0, (int)text.Length);
    }
}
