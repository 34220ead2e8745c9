using Dump.Analysis.Detection;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using static Dump.Analysis.Tests.SnapshotBuilder;
using static Dump.Analysis.Tests.UiDetections;

namespace Dump.Analysis.Tests;

/// <summary>
/// A thread of a single-threaded apartment that takes no messages where it waits: said where it takes part in a verdict, and never a verdict by itself.
/// </summary>
public sealed class ClosedApartmentTests
{
    private const string Pumping = "NtUserMsgWaitForMultipleObjectsEx";
    private const string Blocking = "NtWaitForAlertByThreadId";

    private static ThreadSnapshot In(ThreadSnapshot thread, ComApartmentKind kind, string call) => thread with
    {
        Apartment = new ComApartment(kind, new Evidence(EvidenceSource.Memory, "SOleTlsData by hand")),
        Activity = thread.Activity with { SystemCall = call },
    };

    private static SnapshotBuilder Crossed(ComApartmentKind kind, string call) => new SnapshotBuilder()
        .Thread(1).With(t => In(t, kind, call)).Wait(1, Section(0xA)).Own(Section(0xA), 2)
        .Thread(2).Wait(2, Section(0xB)).Own(Section(0xB), 1);

    private static string[] Closed(Verdict? verdict) => [.. verdict!.Claims.Where(c => c.Text.Contains("apartment", StringComparison.Ordinal))
        .Select(c => c.Text)];

    private static SnapshotBuilder CallingWith(params uint[] workers)
    {
        SnapshotBuilder builder = new SnapshotBuilder().Thread(1, ThreadActivityKind.Idle, UiThreadStacks.Mfc(UiThreadStacks.ComCall));
        foreach (uint worker in workers)
        {
            builder.Thread(worker).With(t => In(t, ComApartmentKind.SingleThreaded, Blocking)).Wait(worker, Event);
        }

        return builder;
    }

    [Fact]
    public void Thread_of_a_deadlock_that_takes_no_calls_holds_its_callers_up_too()
    {
        Verdict? verdict = Only(Crossed(ComApartmentKind.SingleThreaded, Blocking));
        Is("DUMP1002", Confidence.Confirmed, verdict);
        Assert.Equal(["Thread 0 (0x1) is in a single-threaded apartment of COM and does not take messages where it waits: calls into its apartment wait too."],
            Closed(verdict));
        Claim claim = verdict!.Claims.Single(c => c.Text == Closed(verdict)[0]);
        Assert.Equal((Confidence.Likely, "SOleTlsData by hand"), (claim.Confidence, claim.Evidence[0].Text));
    }

    [Theory]
    [InlineData(ComApartmentKind.SingleThreaded, Pumping)]
    [InlineData(ComApartmentKind.MultiThreaded, Blocking)]
    [InlineData(ComApartmentKind.NotInDump, Blocking)]
    public void Where_calls_are_taken_or_the_apartment_is_another_nothing_is_said(ComApartmentKind kind, string call) =>
        Assert.Empty(Closed(Only(Crossed(kind, call))));

    /// <summary>Services and thread pools keep many such threads, which wait for work that no caller brings by COM.</summary>
    [Fact]
    public void Workers_in_single_threaded_apartments_are_healthy()
    {
        SnapshotBuilder builder = new();
        for (uint worker = 1; worker < 30; worker++)
        {
            builder.Thread(worker).With(t => In(t, ComApartmentKind.SingleThreaded, Blocking) with { IsGuiThread = true })
                .Wait(worker, new Resource(ResourceKind.Event, 0x100 + worker));
        }

        Assert.Null(Only(builder));
    }

    [Fact]
    public void Call_whose_server_is_unknown_may_be_to_the_only_apartment_that_takes_none()
    {
        Verdict? verdict = Only(CallingWith(2));
        Is("DUMP4003", Confidence.Suspected, verdict);
        Claim claim = verdict!.Claims.Single(c => c.Text.Contains("The call may be to", StringComparison.Ordinal));
        Assert.Equal(
            (Confidence.Suspected,
                "The call may be to thread 1 (0x2), the only other thread that is known to be in a single-threaded apartment and to take no calls where it waits; it waits for event (handle 0x58), without a time limit."),
            (claim.Confidence, claim.Text));
    }

    [Fact]
    public void Of_two_such_apartments_neither_is_named() =>
        Assert.DoesNotContain(Only(CallingWith(2, 3))!.Claims, c => c.Text.Contains("The call may be to", StringComparison.Ordinal));

    /// <summary>The call may be to that one just as well.</summary>
    [Theory]
    [InlineData(ComApartmentKind.NotInDump, ThreadActivityKind.Idle, false)]
    [InlineData(ComApartmentKind.SingleThreaded, ThreadActivityKind.Running, false)]
    [InlineData(ComApartmentKind.SingleThreaded, ThreadActivityKind.Unknown, false)]
    [InlineData(ComApartmentKind.MultiThreaded, ThreadActivityKind.Running, true)]
    public void Beside_an_apartment_that_may_take_no_calls_either_none_is_named(ComApartmentKind kind, ThreadActivityKind activity, bool isNamed)
    {
        SnapshotBuilder builder = CallingWith(2).Thread(3, activity).With(t => In(t, kind, Blocking));
        Assert.Equal(isNamed, Only(builder)!.Claims.Any(c => c.Text.Contains("The call may be to", StringComparison.Ordinal)));
    }

    [Theory]
    [InlineData(WaitTimeout.Finite, 200L)]
    [InlineData(WaitTimeout.Unknown, null)]
    public void A_wait_that_may_end_at_once_closes_no_apartment(WaitTimeout timeout, long? milliseconds)
    {
        SnapshotBuilder builder = CallingWith().Thread(2).With(t => In(t, ComApartmentKind.SingleThreaded, Blocking))
            .Wait(2, Event, timeout, milliseconds: milliseconds);
        Assert.DoesNotContain(Only(builder)!.Claims, c => c.Text.Contains("The call may be to", StringComparison.Ordinal));
    }

    [Fact]
    public void Window_manager_and_apartment_support_what_the_stack_shows()
    {
        SnapshotBuilder builder = Handler(UiThreadStacks.EventWait).With(t =>
            In(t, ComApartmentKind.SingleThreaded, "NtWaitForSingleObject") with { IsGuiThread = true }).Wait(1, Event);
        Verdict? verdict = Only(builder);
        Is("DUMP4003", Confidence.Suspected, verdict);
        Assert.Equal([EvidenceSource.Stack, EvidenceSource.Memory, EvidenceSource.Memory], verdict!.Claims[0].Evidence.Select(e => e.Source));
        Assert.Contains("Win32ThreadInfo", verdict.Claims[0].Evidence[1].Text, StringComparison.Ordinal);
        Assert.Single(Closed(verdict));
    }

    [Fact]
    public void Apartment_and_window_manager_without_a_pump_make_no_window_thread()
    {
        ProcessSnapshot snapshot = new SnapshotBuilder().Thread(1, frames: [.. UiThreadStacks.EventWait, "app!Work"])
            .With(t => In(t, ComApartmentKind.SingleThreaded, "NtWaitForSingleObject") with { IsGuiThread = true }).Wait(1, Event).Build();
        Assert.Empty(new AnalysisContext(snapshot).UiThreads);
        Assert.Null(Only(snapshot));
    }
}
