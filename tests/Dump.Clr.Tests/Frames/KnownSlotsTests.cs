using Dump.Clr.Frames;

namespace Dump.Clr.Tests.Frames;

/// <summary>References of a stack are told from an equal one only where nothing on it may be a reference that the other one could not show.</summary>
public sealed class KnownSlotsTests
{
    private const ulong Start = 0x7000;
    private const ulong Frame = Start + 16;
    private const ulong A = 0x10_0000, B = 0x10_0100, C = 0x10_0200, D = 0x10_0300;

    private static StackReference At(int word, ulong target, bool isInterior = false) => new(target, isInterior, Frame, Start + (ulong)word * 8);

    private static bool MayBe(ulong word) => word is >= 0x10_0000 and < 0x11_0000;

    private static KnownSlots Learnt(ulong[] stack, params StackReference[] references)
    {
        KnownSlots slots = new();
        slots.Learn(stack, Start, references, MayBe);
        return slots;
    }

    [Fact]
    public void Other_objects_at_the_same_places_are_told()
    {
        KnownSlots slots = Learnt([5, A, 0, B], At(3, B), At(1, A, isInterior: true));
        Assert.Equal([At(3, D), At(1, C, isInterior: true)], slots.Of([7, C, 0, D], Start, MayBe));
    }

    [Fact]
    public void Another_start_moves_places_and_frames()
    {
        KnownSlots slots = Learnt([A], At(0, A));
        Assert.Equal([new StackReference(B, false, 0x9010, 0x9000)], slots.Of([B], 0x9000, MayBe));
    }

    [Fact]
    public void Null_is_no_reference() => Assert.Equal([At(1, B)], Learnt([A, B], At(0, A), At(1, B)).Of([0, B], Start, MayBe));

    [Fact]
    public void Place_that_was_null_may_hold_a_reference_which_nobody_has_shown()
    {
        KnownSlots slots = Learnt([A, 0], At(0, A));
        Assert.Null(slots.Of([A, B], Start, MayBe));
        Assert.NotNull(slots.Of([A, 0xdead], Start, MayBe));
    }

    [Fact]
    public void Place_that_held_what_was_no_reference_holds_none_elsewhere() =>
        Assert.Equal([At(0, C)], Learnt([A, B], At(0, A)).Of([C, D], Start, MayBe));

    [Fact]
    public void Each_stack_that_is_asked_for_adds_what_it_shows()
    {
        KnownSlots slots = Learnt([A, 0, 0], At(0, A));
        slots.Learn([A, B, C], Start, [At(0, A), At(2, C)], MayBe);
        Assert.Equal([At(0, D), At(2, B)], slots.Of([D, A, B], Start, MayBe));
        Assert.Equal([At(0, D)], slots.Of([D, A, 0], Start, MayBe));
    }

    [Fact]
    public void Order_of_two_stacks_is_never_put_together()
    {
        // Which of the last two comes first is not known: no stack has shown both.
        KnownSlots slots = Learnt([A, B, 0], At(0, A), At(1, B));
        slots.Learn([A, 0, C], Start, [At(0, A), At(2, C)], MayBe);
        Assert.Null(slots.Of([A, B, C], Start, MayBe));
    }

    [Theory]
    [InlineData(0UL)] // in a register
    [InlineData(Start - 8)]
    [InlineData(Start + 3)]
    [InlineData(Start + 2 * 8)] // behind the stack
    public void Reference_outside_of_the_stack_makes_the_shape_unusable(ulong address)
    {
        KnownSlots slots = Learnt([A, B], At(0, A), new StackReference(B, false, Frame, address));
        Assert.Null(slots.Of([A, B], Start, MayBe));
    }

    [Fact]
    public void Reference_that_is_not_what_the_place_holds_makes_the_shape_unusable() =>
        Assert.Null(Learnt([A, B], At(0, A), At(1, C)).Of([A, B], Start, MayBe));

    [Fact]
    public void Places_that_are_reported_on_one_stack_and_not_on_another_make_the_shape_unusable()
    {
        KnownSlots slots = Learnt([A, B], At(0, A), At(1, B));
        slots.Learn([A, B], Start, [At(0, A)], MayBe);
        Assert.Null(slots.Of([A, B], Start, MayBe));
    }
}
