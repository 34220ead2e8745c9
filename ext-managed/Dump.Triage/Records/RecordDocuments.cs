using System.Text.Json;
using Dump.Model.Contract;

namespace Dump.Triage.Records;

/// <summary>Reads records from their bytes, wherever these are kept.</summary>
internal static class RecordDocuments
{
    /// <summary>The most bytes of a record: a report is at most 64 MiB as it is written, and shorter in a record.</summary>
    public const int LongestRecord = 128 << 20;

    /// <summary>What is wrong with a record that is longer.</summary>
    public const string TooLong = "it is too long for a record";

    /// <summary>What is wrong with one whose bytes cannot be had.</summary>
    public const string Unreadable = "it cannot be read";

    /// <summary>Reads a record.</summary>
    /// <param name="json">Parses its document.</param>
    /// <param name="identity">The identity under which it is kept.</param>
    /// <param name="take">Takes what it needs of the record while its JSON is there.</param>
    /// <param name="problem">What is wrong with it, as a clause; null when it is read.</param>
    /// <returns>Null when it is no record of that identity.</returns>
    public static T? Read<T>(Func<JsonDocument> json, string identity, Func<RecordContent, T> take, out string? problem)
        where T : class
    {
        try
        {
            using JsonDocument document = json();
            if (RecordJson.Read(document.RootElement, out problem) is not { } record || record.Identity != identity)
            {
                problem ??= $"it is no {SchemaNames.Record} of that name";
                return null;
            }

            return take(record);
        }
        catch (Exception error) when (error is JsonException or InvalidOperationException)
        {
            problem = "it is not JSON, or cut off";
            return null;
        }
    }

    /// <summary>Reads a record that a store gave.</summary>
    /// <param name="record">The record.</param>
    /// <param name="take">Takes what it needs of the record while its JSON is there.</param>
    /// <param name="problem">What is wrong with it, as a clause; null when it is read.</param>
    /// <returns>Null when it is no record of its identity.</returns>
    public static T? Read<T>(StoredRecord record, Func<RecordContent, T> take, out string? problem)
        where T : class
    {
        problem = record.Problem ?? (record.Content.Length > LongestRecord ? TooLong : null);
        return problem is null ? Read(() => JsonDocument.Parse(record.Content), record.Identity, take, out problem) : null;
    }

    /// <summary>A record as it is kept.</summary>
    /// <param name="record">What it says.</param>
    /// <param name="run">Key of the run that writes it.</param>
    public static StoredRecord Stored(RecordContent record, string? run)
    {
        using MemoryStream bytes = new();
        RecordJson.Write(bytes, record);
        return new StoredRecord(record.Identity, run, bytes.ToArray());
    }
}
