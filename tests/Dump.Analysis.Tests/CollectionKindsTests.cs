using Dump.Model.Collections;

namespace Dump.Analysis.Tests;

/// <summary>The table of collection kinds has a row for each kind, which its type names lead to.</summary>
public sealed class CollectionKindsTests
{
    public static TheoryData<CollectionKind> Kinds => [.. Enum.GetValues<CollectionKind>()];

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Every_kind_has_a_row_that_its_types_lead_to(CollectionKind kind)
    {
        CollectionKindFacts? row = CollectionKinds.All.SingleOrDefault(r => r.Kind == kind);
        Assert.True(row is not null, $"CollectionKind.{kind} has no row in CollectionKinds");
        Assert.NotEmpty(row.TypeNames);
        Assert.All(row.TypeNames, n => Assert.Equal(kind, CollectionKinds.OfType(row.IsGeneric ? n + "<System.String>" : n)));
        Assert.InRange(row.HarmfulWriters, 1, 2);
    }

    [Theory]
    [InlineData(null)]
    [InlineData("System.Collections.Generic.Dictionary")]
    [InlineData("System.Collections.Hashtable<System.Int32>")]
    [InlineData("System.Collections.Generic.Dictionary<System.Int32, System.Int32>[]")]
    [InlineData("System.Collections.Generic.Dictionary<System.Int32, System.Int32>+Enumerator")]
    [InlineData("My.System.Collections.Generic.Dictionary<System.Int32, System.Int32>")]
    public void Other_types_are_no_collection(string? type) => Assert.Null(CollectionKinds.OfType(type));
}
