using Dump.Clr.Frames;

namespace Dump.Clr.Tests.Frames;

/// <summary>Only stacks whose references can lie nowhere else have a shape.</summary>
public sealed class StackShapeTests
{
    private const ulong Stack = 0x7000;
    private const string Call = "InlinedCallFrame";
    private const string Entry = "DebuggerU2MCatchHandlerFrame";

    private static ManagedFrame Marker(ulong at, string name, ulong instruction = 0x500) => new(at, instruction, null, true) { MarkerName = name };

    [Fact]
    public void Thread_between_a_native_call_and_its_entry_has_a_shape()
    {
        StackShape? shape = StackShape.Of(Stack, [Marker(Stack + 0x40, Call), Marker(Stack + 0x200, Entry)]);
        Assert.NotNull(shape);
        Assert.Equal((Stack, Stack + 0x200), (shape.Start, shape.End));
    }

    [Fact]
    public void Shape_is_that_of_the_same_stack_elsewhere_and_of_no_other()
    {
        StackShape shape = StackShape.Of(Stack, [Marker(Stack + 0x40, Call), Marker(Stack + 0x200, Entry)])!;
        Assert.Equal(shape, StackShape.Of(0x9000, [Marker(0x9040, Call), Marker(0x9200, Entry)]));
        Assert.NotEqual(shape, StackShape.Of(Stack, [Marker(Stack + 0x48, Call), Marker(Stack + 0x200, Entry)]));
        Assert.NotEqual(shape, StackShape.Of(Stack, [Marker(Stack + 0x40, Call, instruction: 0x501), Marker(Stack + 0x200, Entry)]));
        Assert.NotEqual(shape, StackShape.Of(Stack, [Marker(Stack + 0x40, Call), Marker(Stack + 0x208, Entry)]));
        Assert.NotEqual(shape, StackShape.Of(Stack + 8, [Marker(Stack + 0x40, Call), Marker(Stack + 0x200, Entry)]));
        Assert.NotEqual(shape, StackShape.Of(Stack, [Marker(Stack + 0x40, Call), Marker(Stack + 0x40, Call), Marker(Stack + 0x200, Entry)]));
    }

    public static TheoryData<ulong, string[], ulong[]> WithoutShape => new()
    {
        { Stack, [], [] },
        { Stack, [Entry], [0x200] }, // in no managed code
        { Stack, [Call], [0x40] }, // entered nowhere
        { Stack, [Call, "SoftwareExceptionFrame", Entry], [0x40, 0x80, 0x200] },
        { Stack, [Call, "HelperMethodFrame", Entry], [0x40, 0x80, 0x200] },
        { Stack, ["FaultingExceptionFrame", Entry], [0x40, 0x200] },
        { Stack + 1, [Call, Entry], [0x40, 0x200] },
        { Stack, [Call, Entry], [0x40, 0x204] },
        { Stack + 0x400, [Call, Entry], [0x40, 0x200] }, // the marker is no longer on the stack
        { Stack + 0x80, [Call, Entry], [0x40, 0x200] },
        { Stack, [Call, Entry], [0x240, 0x200] },
        { Stack, [Call, Entry], [0x40, 0x1_0000] },
        { ulong.MaxValue - 7, [Call, Entry], [0x40, 0x200] },
    };

    [Theory]
    [MemberData(nameof(WithoutShape))]
    public void Others_have_none(ulong stackPointer, string[] markers, ulong[] places) =>
        Assert.Null(StackShape.Of(stackPointer, [.. markers.Zip(places, (name, place) => Marker(Stack + place, name))]));

    [Fact]
    public void Frame_of_no_known_method_gives_none() => Assert.Null(
        StackShape.Of(Stack, [Marker(Stack + 0x40, Call), new ManagedFrame(Stack + 0x60, 0x600, null, false), Marker(Stack + 0x200, Entry)]));
}
