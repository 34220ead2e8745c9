using Dump.EndToEnd.Tests.Lab;

namespace Dump.EndToEnd.Tests.Verdicts;

/// <summary>
/// Busy programs under Wine that compute: no look at a healthy one is more than a suspicion; their twins that came to a stop are accused by two dumps.
/// </summary>
[Collection(Undisturbed.Name)]
public sealed class BusyProgramTests
{
    public static TheoryData<string> Healthy => ["busy-readers", "busy-pollers"];

    public static TheoryData<string> Further =>
        ["busy-pollers --sleep", "pool-callbacks --healthy", "pipe-readers --healthy", "join-section --healthy", "loader-event --brief"];

    [SkippableTheory]
    [MemberData(nameof(Healthy))]
    public void Healthy_program_is_never_more_than_suspected(string sample) => BusyProgram.LookAtHealthy(sample, 2);

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [MemberData(nameof(Healthy))]
    public void Healthy_program_is_never_more_than_suspected_in_thirty_looks(string sample) => BusyProgram.LookAtHealthy(sample, 30);

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [MemberData(nameof(Further))]
    public void Further_healthy_program_is_never_more_than_suspected_in_thirty_looks(string sample) => BusyProgram.LookAtHealthy(sample, 30);

    [SkippableTheory]
    [InlineData("busy-readers --stopped", "DUMP2001", "owner")]
    public void Twin_that_came_to_a_stop_is_suspected_in_one_dump_and_likely_in_two(string sample, string expected, string computing) =>
        BusyProgram.CheckStopped(sample, expected, computing);

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [InlineData("busy-pollers --stopped", "DUMP2001", "poller")]
    public void Another_twin_is_suspected_in_one_dump_and_likely_in_two(string sample, string expected, string computing) =>
        Twin_that_came_to_a_stop_is_suspected_in_one_dump_and_likely_in_two(sample, expected, computing);

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [InlineData("busy-pollers --sleep-stopped", "DUMP2001", "poller")]
    [InlineData("loader-event --spin", "DUMP2001", "loading")]
    public void Further_twin_is_suspected_in_one_dump_and_likely_in_two(string sample, string expected, string computing) =>
        BusyProgram.CheckStopped(sample, expected, computing);
}
