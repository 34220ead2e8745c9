using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Tests;

/// <summary>
/// DUMP1002 through monitors of which the managed id that they store says who can leave them, and nothing who entered them: no such cycle ends, but it is never
/// Confirmed, as a thread that had the id before may have ended in the lock.
/// </summary>
public sealed class CycleByIdTests
{
    private static readonly Resource s_first = new(ResourceKind.Monitor, 0xA000);
    private static readonly Resource s_second = new(ResourceKind.Monitor, 0xC000);

    private static AnalysisResult Run(
        Grade first = Grade.Suspected, Grade second = Grade.Suspected, WaitTimeout timeout = WaitTimeout.Infinite, bool areById = true, bool isRing = true)
    {
        SnapshotBuilder builder = new SnapshotBuilder().Thread(1, isRing ? ThreadActivityKind.Waiting : ThreadActivityKind.Sleeping).Thread(2)
            .Wait(2, s_first, timeout).Own(s_first, 1, grade: first).Own(s_second, 2, grade: second);
        ProcessSnapshot snapshot = (isRing ? builder.Wait(1, s_second, WaitTimeout.Infinite) : builder).Build();
        return HangAnalysis.Run(snapshot with
        {
            Ownerships =
            [
                .. snapshot.Ownerships.Select(o => areById && o.Grade < Grade.Proven ? o with { ManagedIdAlone = (int)o.OwnerThreadId + 6 } : o),
            ],
        });
    }

    [Theory]
    [InlineData(Grade.Suspected, Grade.Suspected)]
    [InlineData(Grade.Suspected, Grade.Proven)]
    [InlineData(Grade.Derived, Grade.Suspected)]
    [InlineData(Grade.Derived, Grade.Proven)]
    public void Cycle_through_owners_by_their_ids_alone_is_likely(Grade first, Grade second)
    {
        Verdict verdict = Assert.Single(Run(first, second).Verdicts);
        Assert.Equal(("DUMP1002", Confidence.Likely), (verdict.DetectorId, verdict.Confidence));
        Assert.Contains(verdict.Claims, c => c.Text.Contains("perhaps a later thread of the same id", StringComparison.Ordinal));
    }

    [Fact]
    public void Report_says_who_can_leave_the_lock_and_what_else_may_have_happened()
    {
        Verdict verdict = Assert.Single(Run().Verdicts);
        Claim[] claims = [.. verdict.Claims.Where(c => c.Text.StartsWith("Only the thread with the managed id", StringComparison.Ordinal))];
        Assert.Equal(2, claims.Length);
        Assert.Contains("managed id 8", claims[0].Text, StringComparison.Ordinal);
        Assert.Contains("managed id 7", claims[1].Text, StringComparison.Ordinal);
        Assert.All(claims, c => Assert.Contains("an earlier thread of that id ended without leaving it", c.Text, StringComparison.Ordinal));
        Assert.Contains(verdict.Remedies, r => r.Contains("lets its thread end", StringComparison.Ordinal));
        Assert.Equal(2, verdict.Claims.Count(c => c.Confidence == Confidence.Suspected));
    }

    /// <summary>A class constructor cannot be taken in another order than the runtime runs it.</summary>
    [Fact]
    public void Cycle_through_a_class_constructor_has_its_own_advice()
    {
        Resource constructor = new(ResourceKind.TypeInitializer, 0xB000);
        Verdict verdict = Assert.Single(HangAnalysis.Run(new SnapshotBuilder().Thread(1).Thread(2).Own(constructor, 1).Own(s_second, 2).Wait(1, s_second)
            .Wait(2, constructor).Build()).Verdicts);
        Assert.Equal("DUMP1002", verdict.DetectorId);
        Assert.Contains(verdict.Remedies, r => r.Contains("class constructor", StringComparison.Ordinal) && r.Contains("Lazy<T>", StringComparison.Ordinal));
        Assert.DoesNotContain(verdict.Remedies, r => r.Contains("fixed order", StringComparison.Ordinal));
    }

    [Fact]
    public void Cycle_whose_owners_are_proven_says_nothing_of_ids()
    {
        Verdict verdict = Assert.Single(Run(Grade.Proven, Grade.Proven).Verdicts);
        Assert.Equal(("DUMP1002", Confidence.Confirmed), (verdict.DetectorId, verdict.Confidence));
        Assert.DoesNotContain(verdict.Claims, c => c.Text.Contains("managed id", StringComparison.Ordinal));
    }

    [Fact]
    public void Wait_with_a_limit_makes_no_cycle() =>
        Assert.DoesNotContain(Run(timeout: WaitTimeout.Finite).Verdicts, v => v.DetectorId == "DUMP1002");

    [Fact]
    public void Wait_of_unknown_limit_makes_it_suspected() =>
        Assert.Equal(Confidence.Suspected, Assert.Single(Run(timeout: WaitTimeout.Unknown).Verdicts, v => v.DetectorId == "DUMP1002").Confidence);

    [Fact]
    public void Owner_that_is_suspected_for_another_reason_than_its_id_stays_so() =>
        Assert.Equal(Confidence.Suspected, Assert.Single(Run(areById: false).Verdicts, v => v.DetectorId == "DUMP1002").Confidence);

    [Fact]
    public void Owner_by_its_id_that_can_go_on_makes_nothing_likely() =>
        Assert.DoesNotContain(Run(isRing: false).Verdicts, v => v.Confidence > Confidence.Suspected);
}
