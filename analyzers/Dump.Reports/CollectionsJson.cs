using System.Collections.Immutable;
using System.Text.Json;
using Dump.Model.Collections;
using Dump.Model.Contract;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Reports.Json;

namespace Dump.Reports;

/// <summary>Checked collections as JSON; see docs/json-schema.md.</summary>
public static class CollectionsJson
{
    /// <summary>Writes them for programs.</summary>
    /// <param name="snapshot">The facts.</param>
    /// <param name="judged">Its findings, judged.</param>
    /// <param name="undecidable">True when nothing was found and data are missing.</param>
    /// <param name="output">Where to write; stays open.</param>
    public static void Write(ProcessSnapshot snapshot, ImmutableArray<JudgedCollection> judged, bool undecidable, Stream output)
    {
        using Utf8JsonWriter json = new(output, new JsonWriterOptions { Indented = true, NewLine = "\n" });
        CollectionScan? scan = snapshot.CollectionScan;
        json.WriteStartObject();
        json.WriteString("schema", SchemaNames.Collections);
        JsonParts.Head(json, HangReports.Facts(snapshot, false));
        json.WriteBoolean("undecidable", undecidable);
        json.WriteString("scope", scan?.Scope.ToString());
        json.WriteString("runtime", scan?.RuntimeVersion);
        WriteCounts(json, scan, judged);
        WriteWalk(json, scan?.Walk);
        JsonParts.Ids(json, "unlocatedThreads", scan?.UnlocatedThreads ?? []);
        json.WriteStartArray("collections");
        foreach (JudgedCollection collection in judged)
        {
            WriteCollection(json, collection);
        }

        json.WriteEndArray();
        json.WriteStartArray("notRead");
        foreach (UnreadableCollection unreadable in scan?.UnreadableExamples ?? [])
        {
            json.WriteStartObject();
            JsonParts.Address(json, "address", unreadable.Address);
            json.WriteString("type", unreadable.Type);
            json.WriteString("reason", unreadable.Reason);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        JsonParts.Foot(json, HangReports.Facts(snapshot, false));
        json.WriteEndObject();
    }

    private static void WriteCounts(Utf8JsonWriter json, CollectionScan? scan, ImmutableArray<JudgedCollection> judged)
    {
        if (scan is null)
        {
            json.WriteNull("counts");
            return;
        }

        json.WriteStartObject("counts");
        json.WriteNumber("checked", scan.Met.Values.Sum());
        json.WriteNumber("sound", scan.Sound);
        json.WriteNumber("broken", judged.Count(j => j.Confidence is not null));
        json.WriteNumber("beingChanged", judged.Count(j => j.Confidence is null));
        json.WriteNumber("leftOut", scan.FindingsLeftOut);
        json.WriteNumber("unreadable", scan.Unreadable);
        json.WriteStartArray("kinds");
        foreach ((CollectionKind kind, long number) in scan.Met)
        {
            json.WriteStartObject();
            json.WriteString("kind", kind.ToString());
            json.WriteNumber("checked", number);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    private static void WriteWalk(Utf8JsonWriter json, HeapWalkFacts? walk)
    {
        if (walk is null)
        {
            json.WriteNull("heap");
            return;
        }

        json.WriteStartObject("heap");
        json.WriteNumber("segments", walk.Segments);
        json.WriteNumber("objects", walk.Objects);
        json.WriteNumber("bytes", walk.Bytes);
        json.WriteNumber("types", walk.Types);
        json.WriteNumber("gaps", walk.Gaps);
        json.WriteStartArray("stops");
        foreach (HeapStop stop in walk.Stops)
        {
            json.WriteStartObject();
            JsonParts.Address(json, "segment", stop.SegmentStart);
            JsonParts.Address(json, "address", stop.Address);
            json.WriteNumber("bytesLeft", stop.BytesLeft);
            json.WriteString("reason", stop.Reason);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    private static void WriteCollection(Utf8JsonWriter json, JudgedCollection judged)
    {
        CollectionFinding finding = judged.Finding;
        json.WriteStartObject();
        JsonParts.Address(json, "address", finding.Address);
        json.WriteString("type", finding.Type);
        json.WriteString("kind", finding.Kind.ToString());
        JsonParts.Number(json, "count", finding.Count);
        json.WriteString("confidence", judged.Confidence?.ToString());
        json.WriteBoolean("loopsForEver", finding.LoopsForEver);
        json.WriteString("consequence", judged.Consequence);
        json.WriteStartArray("faults");
        foreach (CollectionFault fault in finding.Faults)
        {
            json.WriteStartObject();
            json.WriteString("kind", fault.Kind.ToString());
            json.WriteString("text", fault.Text);
            json.WriteBoolean("mayBeHalfDone", fault.MayBeHalfDone);
            json.WriteStartArray("path");
            foreach (int index in fault.Path)
            {
                json.WriteNumberValue(index);
            }

            json.WriteEndArray();
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteStartArray("entries");
        foreach (CollectionEntry entry in finding.Entries)
        {
            json.WriteStartObject();
            json.WriteNumber("index", entry.Index);
            json.WriteNumber("next", entry.Next);
            JsonParts.Address(json, "hashCode", entry.HashCode);
            json.WriteString("key", entry.Key);
            json.WriteString("value", entry.Value);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        JsonParts.Ids(json, "threadsInside", finding.ThreadsInside);
        JsonParts.Ids(json, "threadsReferring", finding.ThreadsReferring);
        json.WriteBoolean("mayHaveOtherUsers", finding.MayHaveOtherUsers);
        json.WriteEndObject();
    }
}
