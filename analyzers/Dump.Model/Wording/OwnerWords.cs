using System.Globalization;
using Dump.Model.Facts;
using Dump.Model.Waits;

namespace Dump.Model.Wording;

/// <summary>What leads from a resource to its owner. The one rule on how the certainty of an owner is put into words.</summary>
public static class OwnerWords
{
    /// <summary>
    /// For example <c>held by</c> for a proven owner, <c>most likely held by</c> for a derived one and <c>possibly held by</c> for a suspected one.
    /// </summary>
    /// <param name="kind">What is owned.</param>
    /// <param name="grade">How well the owner is known.</param>
    public static string HeldBy(ResourceKind kind, Grade grade)
    {
        ResourceKindFacts facts = ResourceKinds.Of(kind);
        return facts.NamesItsOwner ? facts.HeldBy : $"{Doubt(grade)}{facts.HeldBy}";
    }

    /// <summary>What follows the name of an owner that a managed id alone makes the owner; nothing for any other owner.</summary>
    /// <param name="ownership">The ownership.</param>
    public static string ById(OwnershipFact ownership) => ownership.ManagedIdAlone is { } id
        ? string.Create(CultureInfo.InvariantCulture, $", which has the managed id {id} that the lock stores (perhaps a later thread of the same id)")
        : "";

    private static string Doubt(Grade grade) => grade switch
    {
        Grade.Proven => "",
        Grade.Derived => "most likely ",
        _ => "possibly ",
    };
}
