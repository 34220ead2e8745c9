using Dump.Model.Facts;
using Dump.Model.Waits;
using Dump.Model.Wording;

namespace Dump.Analysis.Tests;

/// <summary>The table of resource kinds has a row for each kind, and rows do not contradict themselves.</summary>
public sealed class ResourceKindsTests
{
    public static TheoryData<ResourceKind> Kinds => [.. Enum.GetValues<ResourceKind>()];

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Every_kind_has_a_row_that_names_it(ResourceKind kind)
    {
        ResourceKindFacts? row = ResourceKinds.All.SingleOrDefault(r => r.Kind == kind);
        Assert.True(row is not null, $"ResourceKind.{kind} has no row in ResourceKinds");
        Assert.NotEmpty(row.Noun);
        Assert.Equal("aeiouS".Contains(row.Noun[0], StringComparison.Ordinal) && !row.Noun.StartsWith("one", StringComparison.Ordinal) ? "an" : "a",
            row.Article);
        Assert.DoesNotContain("{0}", row.Words(0x1234), StringComparison.Ordinal);
        Assert.NotEqual("", row.Words(0));
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Kind_without_owner_has_none_to_hold_it(ResourceKind kind)
    {
        ResourceKindFacts row = ResourceKinds.Of(kind);
        Assert.False(row is { Owner: OwnerRecord.NoOwner, IsRecursive: true }, "only an owner can take a resource again");
        Assert.False(row is { Owner: OwnerRecord.StoredNowhere, Class: not WaitClass.Lock }, "only locks have owners that nobody stores");
        Assert.False(row.IsHandle && row.IsManagedObject, "an identity is a handle or an address");
        Assert.False(row.IsLoader && row.SignatureName != "Loader", "the loader has one name in signatures");
    }

    [Theory]
    [InlineData(ResourceKind.CriticalSection, 0x4010, "critical section 0x4010")]
    [InlineData(ResourceKind.CriticalSection, 0, "a critical section that could not be identified")]
    [InlineData(ResourceKind.SlimReaderWriterLock, 0, "an SRW lock that could not be identified")]
    [InlineData(ResourceKind.LoaderLock, 0x10, "the loader lock (critical section 0x10)")]
    [InlineData(ResourceKind.Mutex, 0x44, "mutex (handle 0x44)")]
    [InlineData(ResourceKind.SpinLock, 0, "a spin lock at an unknown address")]
    [InlineData(ResourceKind.SpinLock, 0x10, "the spin lock at 0x10")]
    [InlineData(ResourceKind.WindowMessage, 0x10046, "a message to window 0x10046")]
    [InlineData(ResourceKind.WindowMessage, 0, "a window message that could not be identified")]
    [InlineData(ResourceKind.LoadOwnership, 0, "load ownership (the loader's work queue)")]
    [InlineData(ResourceKind.Finalizers, 0, "the finalizers")]
    [InlineData(ResourceKind.ProcessExit, 0, "the handlers of ProcessExit")]
    [InlineData(ResourceKind.Unknown, 0, "something that could not be identified")]
    public void Words_tell_the_identity_where_there_is_one(ResourceKind kind, ulong identity, string expected) =>
        Assert.Equal(expected, ResourceKinds.Of(kind).Words(identity));

    [Theory]
    [InlineData(ResourceKind.Mutex, Grade.Proven, "held by")]
    [InlineData(ResourceKind.Mutex, Grade.Derived, "most likely held by")]
    [InlineData(ResourceKind.Mutex, Grade.Suspected, "possibly held by")]
    [InlineData(ResourceKind.ComCall, Grade.Derived, "most likely executed by")]
    [InlineData(ResourceKind.ManagedTask, Grade.Proven, "run by")]
    [InlineData(ResourceKind.Finalizers, Grade.Proven, "run by")]
    [InlineData(ResourceKind.ManagedCallback, Grade.Derived, "most likely run by")]
    [InlineData(ResourceKind.Thread, Grade.Derived, "comes when it ends")]
    public void Owner_is_named_by_how_well_it_is_known(ResourceKind kind, Grade grade, string expected) =>
        Assert.Equal(expected, OwnerWords.HeldBy(kind, grade));
}
