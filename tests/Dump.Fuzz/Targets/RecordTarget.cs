using System.Text;
using System.Text.Json;
using Dump.Fuzz.Inputs;
using Dump.Fuzz.Oracles;
using Dump.Model.Reported;
using Dump.Reports;
using Dump.Reports.Json;
using Dump.Store;
using Dump.Testing.Triage;
using Dump.Triage.Records;

namespace Dump.Fuzz.Targets;

/// <summary>Records of triage and the reports in them: read, summed up, put into the columns of a store, printed again.</summary>
internal sealed class RecordTarget() : FuzzTarget("record", "records and reports in JSON")
{
    private const int Samples = 24;
    private readonly JsonMutator _mutator = new([.. Enumerable.Range(0, Samples).Select(i => ($"record {i}", Encoding.UTF8.GetString(Document(i))))]);

    /// <inheritdoc/>
    public override byte[] Input(Random random) => _mutator.Damage(random);

    // Each of the readers below takes the document whole.
    /// <inheritdoc/>
    public override long MostAllocated(int length) => (8L << 20) + 400L * length;

    /// <inheritdoc/>
    public override string Execute(byte[] input)
    {
        StoredRecord stored = new(Identity(input), null, input);
        RecordSummary? summary = RecordDocuments.Read(stored, RecordSummary.Of, out string? problem);
        Oracle.Holds(summary is null == problem is not null, $"there is a record and the problem '{problem}', or neither");
        RecordFacts facts = RecordFacts.Of(stored);
        foreach (string? text in (string?[])[facts.Path, facts.Member, facts.Reason, facts.Tool, facts.Captured, facts.Process, facts.Machine, facts.System,
            facts.Bucket?.Title])
        {
            Oracle.IsHarmless(text);
        }

        ReadOnlyMemory<byte> unpacked = PackedDocument.Unpack(PackedDocument.Pack(input), out string? damage);
        Oracle.Holds(damage is null && unpacked.Span.SequenceEqual(input), "a record is not kept as it is");
        return problem is not null ? Oracle.IsSentence(problem) : $"{facts.Outcome} {facts.Answer} {facts.Modules.Length} {Printed(input)}";
    }

    private static string Printed(byte[] input)
    {
        using JsonDocument document = JsonDocument.Parse(input);
        if (document.RootElement.Field("report") is not { } element)
        {
            return "no report";
        }

        try
        {
            HangReport report = JsonReportReader.Read(element);
            using StringWriter text = new();
            TextReport.Write(report, text, TextStyle.Plain);
            Oracle.IsHarmless(text.ToString());
            MeasuredOutput json = MeasuredOutput.Fresh;
            JsonReport.Write(report, json);
            Oracle.IsJson(json);
            return $"report {report.Verdicts.Length} {report.Threads.Length}";
        }
        catch (InvalidReportException error)
        {
            return Oracle.IsSentence(error.Message);
        }
    }

    /// <summary>The identity that a record says itself, so that it is not refused for another one.</summary>
    private static string Identity(byte[] input)
    {
        const int Length = 64;
        int at = input.AsSpan().IndexOf("\"identity\":\""u8);
        string text = at < 0 || at + 12 + Length > input.Length ? "" : Encoding.ASCII.GetString(input, at + 12, Length);
        return StoredRecord.IsIdentity(text) ? text : new string('0', Length);
    }

    private static byte[] Document(int number) => SyntheticRecords.OfGoldens(systemModules: 3).Document(number * 7);
}
