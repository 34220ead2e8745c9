using Dump.Model.Merging;
using Dump.Triage.Records;

namespace Dump.Triage.Tests;

/// <summary>More records than are read are a gap, and not an all-clear.</summary>
public sealed class ManyRecordsTests : IDisposable
{
    private readonly TriageFolder _folder = new();

    [SkippableFact]
    public void Records_that_are_not_read_are_said()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "the stand-in for the analysis is a shell script");
        for (int i = 0; i < 3; i++)
        {
            _folder.Pretend($"{i}.dmp", i);
        }

        _folder.Run(TriageFolder.FindsNothing);
        using FolderStore store = FolderStore.Read(_folder.Output);
        foreach (TriageRecords records in new[] { TriageRecords.Read(_folder.Output, 2), TriageRecords.Read(store, 2) })
        {
            Assert.Equal(2, records.Records.Length);
            TriageWarning warning = Assert.Single(records.Warnings);
            Assert.Equal((TriageGapKind.NotLookedAt, true, false), (warning.Kind, warning.NotLookedAt, warning.HasRecord));
            Assert.StartsWith("there are more than 2 records", warning.Message, StringComparison.Ordinal);
        }

        foreach (TriageRecords records in new[] { TriageRecords.Read(_folder.Output, 3), TriageRecords.Read(store, 3) })
        {
            Assert.Equal((3, 0), (records.Records.Length, records.Warnings.Length));
        }
    }

    public void Dispose() => _folder.Dispose();
}
