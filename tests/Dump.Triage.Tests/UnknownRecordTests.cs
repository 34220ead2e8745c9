using Dump.Model.Merging;
using Dump.Triage.Records;

namespace Dump.Triage.Tests;

/// <summary>Records of a newer version: what this one does not know is said, and never read as something else.</summary>
public sealed class UnknownRecordTests : IDisposable
{
    private static readonly string s_identity = new('a', 64);
    private readonly string _output = Directory.CreateTempSubdirectory("dump-unknown-").FullName;

    [Theory]
    [InlineData("dump-record/2", "Analysed", "it is a dump-record/2, which this version does not know; it was made by dumpanalyze 9.1.0 build x")]
    [InlineData("dump-record/1", "Quarantined", "its outcome is 'Quarantined', which this version does not know; it was made by dumpanalyze 9.1.0 build x")]
    [InlineData("dump-record/1", "DamagedRecord", "its outcome is 'DamagedRecord', which this version does not know; it was made by dumpanalyze 9.1.0 build x")]
    [InlineData("dump-record/1", "3", "its outcome is '3', which this version does not know; it was made by dumpanalyze 9.1.0 build x")]
    [InlineData("other/1", "Analysed", "it is no dump-record/1 of that name")]
    public void Record_that_is_not_understood_is_named_with_its_maker(string schema, string outcome, string expected)
    {
        Write(schema, outcome, "Likely");
        var read = TriageRecords.Read(_output);
        Assert.Empty(read.Records);
        Assert.Equal((expected, TriageGapKind.RecordDamaged, false), Assert.Single(read.Warnings.Select(w => (w.Message, w.Kind, w.HasRecord))));
    }

    [Fact]
    public void Report_with_a_confidence_that_is_not_known_is_no_verdict_and_no_all_clear()
    {
        Write("dump-record/1", "Analysed", "Certain");
        var read = TriageRecords.Read(_output);
        TriageRecord record = Assert.Single(read.Records);
        Assert.Equal((null, TriageOutcome.DamagedRecord), (record.Report, record.Outcome));
        Assert.Equal("its report cannot be read: \"confidence\" is 'Certain', which this version does not know; it was made by dumpanalyze 9.1.0 build x",
            record.Reason);
        Assert.True(Assert.Single(read.Warnings).HasRecord);
        Assert.Equal(1, TriageCounts.Of(new TriageOverview { Records = [record], Failed = [record] }).Failed);
        Write("dump-record/1", "Analysed", "Likely");
        Assert.NotNull(Assert.Single(TriageRecords.Read(_output).Records).Report);
    }

    public void Dispose() => Directory.Delete(_output, recursive: true);

    private void Write(string schema, string outcome, string confidence)
    {
        string path = RecordFiles.PathOf(_output, s_identity);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllText(path, $$"""
            {"schema":"{{schema}}","identity":"{{s_identity}}","source":{"path":"a.dmp","member":null,"size":5},"outcome":"{{outcome}}","tool":"dumpanalyze 9.1.0 build x; runtimes 10.0.0",
            "report":{"schema":"dump-report/1","source":{},"undecidable":false,"verdicts":[{"id":"DUMP1002","confidence":"{{confidence}}"}],"detectors":[] } }
            """);
    }
}
