using System.Collections.Immutable;
using System.Text.Json;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Reports;

/// <summary>Verdicts and detector outcomes of the JSON report.</summary>
internal static class JsonVerdicts
{
    public static void Write(Utf8JsonWriter json, ProcessSnapshot snapshot, AnalysisResult result)
    {
        json.WriteStartArray("verdicts");
        foreach (Verdict verdict in result.Verdicts)
        {
            WriteVerdict(json, snapshot, verdict);
        }

        json.WriteEndArray();
        json.WriteStartArray("detectors");
        foreach (DetectorOutcome outcome in result.Outcomes)
        {
            json.WriteStartObject();
            json.WriteString("id", outcome.DetectorId);
            json.WriteString("title", outcome.Title);
            json.WriteString("outcome", outcome.Kind.ToString());
            json.WriteString("error", outcome.Error);
            JsonParts.Missing(json, "missing", outcome.Missing);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    private static void WriteVerdict(Utf8JsonWriter json, ProcessSnapshot snapshot, Verdict verdict)
    {
        json.WriteStartObject();
        json.WriteString("id", verdict.DetectorId);
        json.WriteString("title", verdict.Title);
        json.WriteString("confidence", verdict.Confidence.ToString());
        json.WriteStartArray("claims");
        foreach (Claim claim in verdict.Claims)
        {
            json.WriteStartObject();
            json.WriteString("text", claim.Text);
            json.WriteString("confidence", claim.Confidence.ToString());
            JsonParts.Evidence(json, claim.Evidence);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        WriteThreadIds(json, "threads", verdict.Threads);
        WriteCulprit(json, verdict.Culprit);
        WriteChain(json, verdict.Chain);
        WriteStacks(json, snapshot, verdict);
        json.WriteStartArray("victims");
        foreach (VictimGroup group in verdict.Victims)
        {
            json.WriteStartObject();
            json.WriteString("kind", group.Kind.ToString());
            json.WriteString("description", group.Description);
            WriteThreadIds(json, "threads", group.ThreadIds);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        JsonParts.Texts(json, "remedies", verdict.Remedies);
        JsonParts.Missing(json, "undecided", verdict.Undecided);
        json.WriteEndObject();
    }

    private static void WriteCulprit(Utf8JsonWriter json, Culprit? culprit)
    {
        if (culprit is null)
        {
            json.WriteNull("culprit");
            return;
        }

        json.WriteStartObject("culprit");
        json.WriteString("module", culprit.Module);
        json.WriteString("callback", culprit.Callback);
        json.WriteNumber("thread", culprit.ThreadId);
        json.WriteString("version", culprit.Version);
        json.WriteString("vendor", culprit.Vendor);
        json.WriteString("message", culprit.Message);
        json.WriteEndObject();
    }

    public static void WriteChain(Utf8JsonWriter json, ImmutableArray<ChainLink> chain)
    {
        json.WriteStartArray("chain");
        foreach (ChainLink link in chain)
        {
            json.WriteStartObject();
            json.WriteNumber("thread", link.ThreadId);
            JsonParts.Resource(json, link.Resource);
            json.WriteString("text", link.ResourceText);
            JsonParts.Number(json, "holder", link.HolderThreadId);
            JsonParts.Flag(json, "holderIsAlive", link.HolderIsAlive);
            WriteOptional(json, link);
            json.WriteString("grade", link.Grade.ToString());
            json.WriteString("timeout", link.Timeout.ToString());
            JsonParts.Evidence(json, link.Evidence);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    private static void WriteStacks(Utf8JsonWriter json, ProcessSnapshot snapshot, Verdict verdict)
    {
        json.WriteStartArray("stacks");
        foreach (StackExcerpt excerpt in verdict.Stacks)
        {
            json.WriteStartObject();
            json.WriteNumber("thread", excerpt.ThreadId);
            json.WriteString("role", excerpt.Role);
            WriteFrames(json, snapshot, excerpt);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    private static void WriteFrames(Utf8JsonWriter json, ProcessSnapshot snapshot, StackExcerpt excerpt)
    {
        json.WriteStartArray("frames");
        ThreadStack stack = snapshot.Thread(excerpt.ThreadId)?.Stack ?? ThreadStack.None;
        foreach (int index in excerpt.FrameIndexes)
        {
            JsonParts.Frame(json, index, stack.Frames[index]);
        }

        json.WriteEndArray();
    }

    /// <summary>The thread to look at first.</summary>
    public static void WriteFocus(Utf8JsonWriter json, ProcessSnapshot snapshot, StackExcerpt? focus)
    {
        if (focus is null)
        {
            json.WriteNull("focus");
            return;
        }

        json.WriteStartObject("focus");
        json.WriteNumber("thread", focus.ThreadId);
        json.WriteString("why", focus.Role);
        WriteFrames(json, snapshot, focus);
        json.WriteEndObject();
    }

    public static void WriteThreadIds(Utf8JsonWriter json, string name, IEnumerable<uint> ids)
    {
        json.WriteStartArray(name);
        foreach (uint id in ids)
        {
            json.WriteNumberValue(id);
        }

        json.WriteEndArray();
    }

    /// <summary>Fields that most links do not have.</summary>
    private static void WriteOptional(Utf8JsonWriter json, ChainLink link)
    {
        if (link.HolderDescription is { } description)
        {
            json.WriteString("holderDescription", description);
        }

        if (link.HolderGrade is { } grade)
        {
            json.WriteString("holderGrade", grade.ToString());
        }

        if (link.IsWaitAny)
        {
            json.WriteBoolean("any", true);
        }

        if (link.IsSatisfied)
        {
            json.WriteBoolean("satisfied", true);
        }
    }
}
