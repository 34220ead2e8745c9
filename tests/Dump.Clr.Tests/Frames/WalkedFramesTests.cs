using Dump.Clr.Frames;

namespace Dump.Clr.Tests.Frames;

/// <summary>A walk of the runtime that turns in a circle is left; one that only pauses, or that is merely long, is taken whole.</summary>
public sealed class WalkedFramesTests
{
    private const int Few = 200;
    private const int Many = 50_000;

    [Fact]
    public void Walk_that_reports_one_marker_for_ever_keeps_it_once()
    {
        WalkedFrames walked = WalkedFrames.Of(Endless([Marker(0x1fd4da80)]));
        Assert.True(walked.IsEndless);
        Assert.Equal([Marker(0x1fd4da80)], walked.Frames);
    }

    [Fact]
    public void Walk_that_comes_back_keeps_what_it_met_first()
    {
        ManagedFrame[] circle = [Code(0x100), Marker(0x100), Code(0x180), Marker(0x140)];
        WalkedFrames walked = WalkedFrames.Of(new[] { Code(0x80) }.Concat(Endless(circle)));
        Assert.True(walked.IsEndless);
        Assert.Equal([Code(0x80), Code(0x100), Marker(0x100), Code(0x180)], walked.Frames);
    }

    [Fact]
    public void Markers_at_one_place_and_inner_ones_after_outer_ones_are_no_circle()
    {
        ManagedFrame[] frames = [Marker(0x21d950), Marker(0x21d950), Code(0x21d920), Code(0x21d9f0), .. Enumerable.Repeat(Marker(0x21d9f0), Few),
            Code(0x21da40)];
        WalkedFrames walked = WalkedFrames.Of(frames);
        Assert.False(walked.IsEndless);
        Assert.Equal(frames, walked.Frames);
    }

    [Fact]
    public void Deep_recursion_is_no_circle()
    {
        WalkedFrames walked = WalkedFrames.Of(Enumerable.Range(1, Many).Select(i => Code((ulong)i * 0x40)));
        Assert.False(walked.IsEndless);
        Assert.Equal(Many, walked.Frames.Count);
    }

    /// <summary>As met: a handler that ran on top of the throwing methods, of which the walk gave nothing but the marker where the first was left.</summary>
    [Fact]
    public void Walk_that_ends_where_a_method_must_come_is_cut_and_one_that_ends_where_managed_code_was_entered_is_not()
    {
        ManagedFrame exit = Marker(0x1fd6f400) with { MarkerName = "SoftwareExceptionFrame" };
        ManagedFrame entry = Marker(0x1fd6f400) with { MarkerName = "DebuggerU2MCatchHandlerFrame" };
        Assert.True(WalkedFrames.Of([Marker(0x1fd6da80), Code(0x1fd6db00), exit]).IsCut);
        Assert.False(WalkedFrames.Of([exit with { StackPointer = 0x1fd6da80 }, Code(0x1fd6db00), entry]).IsCut);
        Assert.False(WalkedFrames.Of([exit with { StackPointer = 0x1fd6da80 }, Code(0x1fd6db00)]).IsCut);
    }

    [Fact]
    public void Thread_without_frames_has_none()
    {
        WalkedFrames walked = WalkedFrames.Of([]);
        Assert.False(walked.IsEndless);
        Assert.False(walked.IsCut);
        Assert.Empty(walked.Frames);
    }

    private static ManagedFrame Marker(ulong stackPointer) => new(stackPointer, 0x17000ec84, null, IsMarker: true);

    private static ManagedFrame Code(ulong stackPointer) => new(stackPointer, 0x20531c4c, null, IsMarker: false);

    private static IEnumerable<ManagedFrame> Endless(ManagedFrame[] circle)
    {
        while (true)
        {
            foreach (ManagedFrame frame in circle)
            {
                yield return frame;
            }
        }
    }
}
