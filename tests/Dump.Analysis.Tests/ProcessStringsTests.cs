using Dump.Model.Collections;
using Dump.Model.Managed;
using Dump.Model.Merging;
using Dump.Model.Process;
using Dump.Model.Reported;

namespace Dump.Analysis.Tests;

/// <summary>Answers without what strings of the dumped process say keep everything else.</summary>
public sealed class ProcessStringsTests
{
    private const string Secret = "hunter2";

    [Fact]
    public void Messages_of_exceptions_and_entries_of_collections_are_withheld_from_facts()
    {
        CollectionFinding finding = new(0x1000, "Dictionary", [], [1], [1], true)
        {
            Entries = [new CollectionEntry(0, 0, 7, $"\"{Secret}\"", "4711"), new CollectionEntry(1, 0, 8, "'h'", null)],
        };
        ProcessSnapshot snapshot = new SnapshotBuilder().Build() with
        {
            Exception = new RecordedException(1) { Thrown = [new ThrownException("System.Exception", Secret), new ThrownException("System.IO.Error", null)] },
            Collections = [finding],
            CollectionScan = new CollectionScan { Scope = default, Findings = [finding] },
        };
        ProcessSnapshot withheld = ProcessStrings.Withhold(snapshot);
        Assert.Equal([new ThrownException("System.Exception", "(withheld)"), new ThrownException("System.IO.Error", null)], withheld.Exception!.Thrown.ToArray());
        CollectionEntry[] expected = [new(0, 0, 7, "(withheld)", "4711"), new(1, 0, 8, "(withheld)", null)];
        Assert.Equal(expected, withheld.Collections[0].Entries.ToArray());
        Assert.Equal(expected, withheld.CollectionScan!.Findings[0].Entries.ToArray());
    }

    [Fact]
    public void Objects_keep_numbers_and_types()
    {
        ObjectDocument document = new()
        {
            Address = 1,
            Type = "Shop.User",
            Text = Secret,
            Fields = [new ObjectField("_name", "System.String", $"\"{Secret}\""), new ObjectField("_age", "System.Int32", "42"),
                new ObjectField("_next", "Shop.User", "Shop.User 0x2000"), new ObjectField("_gone", "System.String", null)],
            Elements = [new ObjectElement(0, $"\"{Secret}\"", "1")],
        };
        ObjectDocument withheld = ProcessStrings.WithholdFrom(document);
        Assert.Equal("(withheld)", withheld.Text);
        Assert.Equal(["(withheld)", "42", "Shop.User 0x2000", null], withheld.Fields.Select(f => f.Value));
        Assert.Equal(new ObjectElement(0, "(withheld)", "1"), Assert.Single(withheld.Elements));
    }

    [Theory]
    [InlineData("System.Byte[]", "(withheld)")]
    [InlineData("System.Char[]", "(withheld)")]
    [InlineData("System.Int32[]", "104")]
    public void Arrays_that_may_hold_text_are_withheld(string type, string expected)
    {
        ObjectDocument array = new() { Address = 1, Type = type, Elements = [new ObjectElement(0, null, "104")] };
        Assert.Equal(expected, ProcessStrings.WithholdFrom(array).Elements[0].Value);
    }

    [Fact]
    public void Documents_lose_comment_and_machine_and_records_their_last_words()
    {
        HangReport report = new()
        {
            Source = new ReportedSource("hang.dmp", "minidump", 1, null, Secret),
            Process = new ReportedProcess { Name = "shop.exe", Machine = Secret },
        };
        HangReport withheld = ProcessStrings.WithholdFrom(report);
        Assert.Equal(("(withheld)", "(withheld)", "shop.exe"), (withheld.Source.Comment, withheld.Process.Machine, withheld.Process.Name));
        TriageRecord record = new() { Identity = "", Source = new TriageSource("a.dmp", null, 1), Outcome = TriageOutcome.Crashed, Tool = "", Reason = Secret };
        TriageRecord[] records = [.. ProcessStrings.Withhold([record, record with { Outcome = TriageOutcome.Analysed, Reason = null, Report = report }])];
        Assert.Equal("(withheld)", records[0].Reason);
        Assert.Equal("(withheld)", records[1].Report!.Process.Machine);
    }
}
