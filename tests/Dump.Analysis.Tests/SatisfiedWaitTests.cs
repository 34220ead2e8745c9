using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using static Dump.Analysis.Tests.SnapshotBuilder;

namespace Dump.Analysis.Tests;

/// <summary>A wait for an object that is recorded as signalled is about to end: it blocks nobody and needs no more data.</summary>
public sealed class SatisfiedWaitTests
{
    private static readonly Resource s_mutex = new(ResourceKind.Mutex, 0x50);

    private static ProcessSnapshot Satisfied(ProcessSnapshot snapshot, Resource resource, bool isSatisfied) =>
        snapshot with { Waits = [.. snapshot.Waits.Select(w => w.Resource == resource ? w with { IsSatisfied = isSatisfied } : w)] };

    [Theory]
    [InlineData(false, 1)]
    [InlineData(true, 0)]
    public void Cycle_needs_an_object_that_is_not_signalled(bool isSatisfied, int verdicts)
    {
        ProcessSnapshot snapshot = new SnapshotBuilder().Thread(1).Thread(2)
            .Wait(1, s_mutex).Own(s_mutex, 2).Wait(2, Section(0xB)).Own(Section(0xB), 1).Build();
        Assert.Equal(verdicts, HangAnalysis.Run(Satisfied(snapshot, s_mutex, isSatisfied)).Verdicts.Length);
    }

    [Theory]
    [InlineData(false, 1)]
    [InlineData(true, 0)]
    public void Owner_that_is_about_to_go_on_blocks_no_queue(bool isSatisfied, int verdicts)
    {
        Resource signal = new(ResourceKind.Event, 0x44);
        SnapshotBuilder builder = new SnapshotBuilder().Thread(1).Wait(1, signal).Own(Section(0xA), 1);
        for (uint waiter = 2; waiter < 8; waiter++)
        {
            builder.Thread(waiter).Wait(waiter, Section(0xA));
        }

        Assert.Equal(verdicts, HangAnalysis.Run(Satisfied(builder.Build(), signal, isSatisfied)).Verdicts.Length);
    }

    [Theory]
    [InlineData(false, true)]
    [InlineData(true, false)]
    public void Owner_of_a_free_mutex_is_not_missed(bool isSatisfied, bool missing)
    {
        ProcessSnapshot snapshot = new SnapshotBuilder().Thread(1).Wait(1, s_mutex).Build();
        DetectorOutcome outcome = HangAnalysis.Run(Satisfied(snapshot, s_mutex, isSatisfied)).Outcomes.Single(o => o.DetectorId == "DUMP1002");
        Assert.Equal(missing, outcome.Missing.Any(m => m.What.Contains("owner of a mutex", StringComparison.Ordinal)));
    }
}
