using System.Collections.Immutable;
using System.Text.Json;
using System.Text.Json.Serialization;
using Dump.Capture.Windows.Chains;

namespace Dump.Capture.Windows;

/// <summary>
/// Answers of a real Windows about one process, as a file: <c>windows-check record PID FILE</c> writes it, and tests read it. Nodes of wait chains stand in it
/// as Windows filled them.
/// </summary>
internal sealed record RecordedAnswers
{
    /// <summary>Name of the form.</summary>
    public const string Form = "windows-answers/1";

    /// <summary>Name of the form.</summary>
    public string Schema { get; init; } = Form;

    /// <summary>The system, for example <c>Microsoft Windows 10.0.19045</c>.</summary>
    public required string System { get; init; }

    /// <summary>Process id.</summary>
    public required uint Process { get; init; }

    /// <summary>What GetThreadWaitChain answered of its threads; null where the system has no such function.</summary>
    public ImmutableArray<RecordedChain>? Chains { get; init; }

    /// <summary>Error of PssCaptureSnapshot with a clone (winerror.h), 0 when it succeeded; null where the system has no such function.</summary>
    public int? SnapshotError { get; init; }

    /// <summary>What it answered of its windows.</summary>
    public ImmutableArray<RecordedWindow> Windows { get; init; } = [];

    /// <summary>Writes them.</summary>
    public void Write(Stream output) => JsonSerializer.Serialize(output, this, RecordedAnswersContext.Default.RecordedAnswers);

    /// <summary>Reads them.</summary>
    /// <exception cref="JsonException">The file has another form.</exception>
    public static RecordedAnswers Read(Stream input) =>
        JsonSerializer.Deserialize(input, RecordedAnswersContext.Default.RecordedAnswers) is { Schema: Form } answers ? answers
            : throw new JsonException($"the form is not {Form}");
}

/// <summary>How recorded answers are written and read, made while this is compiled: a trimmed program has no reflection for it.</summary>
[JsonSourceGenerationOptions(WriteIndented = true, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(RecordedAnswers))]
internal sealed partial class RecordedAnswersContext : JsonSerializerContext;

/// <summary>What Windows answered of a window.</summary>
/// <param name="Window">Its handle.</param>
/// <param name="Thread">Id of the thread that owns it.</param>
/// <param name="IsHung">What IsHungAppWindow said.</param>
/// <param name="IsAnswered">Whether WM_NULL was answered in time.</param>
/// <param name="Milliseconds">How long that took.</param>
internal sealed record RecordedWindow(ulong Window, uint Thread, bool IsHung, bool IsAnswered, int Milliseconds);
