namespace Dump.EndToEnd.Tests.Verdicts;

/// <summary>
/// Clients of a device under Wine, which wait for it most of the time: no look at them is more than a suspicion; once it answers no more, two dumps accuse its
/// holder.
/// </summary>
public sealed class BusyClientTests
{
    private const string Sample = "busy-clients";

    [SkippableFact]
    public void Healthy_clients_are_never_more_than_suspected() => BusyProgram.LookAtHealthy(Sample, 2);

    [SkippableFact]
    [Trait("Category", "Slow")]
    public void Healthy_clients_are_never_more_than_suspected_in_thirty_looks() => BusyProgram.LookAtHealthy(Sample, 30);

    [SkippableFact]
    public void Clients_that_came_to_a_stop_are_suspected_in_one_dump_and_likely_in_two() =>
        BusyProgram.CheckStopped($"{Sample} --stopped", "DUMP1005", computing: null);
}
