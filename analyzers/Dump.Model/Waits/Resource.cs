using System.Text.Json.Serialization;

namespace Dump.Model.Waits;

/// <summary>The identity of something threads wait for. Two facts speak of the same resource when kind and identity are equal.</summary>
/// <param name="Kind">What it is.</param>
/// <param name="Identity">The address of a lock, the handle value of a kernel object, the operating system id
/// of a thread; 0 when the resource exists once per process (load ownership).</param>
/// <param name="Owner">Distinguishes anonymous resources: the waiting thread's id where <paramref name="Identity"/> could not be read, else 0.</param>
public sealed record Resource(
    ResourceKind Kind, ulong Identity, [property: JsonPropertyName("ofThread"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] uint Owner = 0)
{
    /// <summary>What is true of every resource of this kind.</summary>
    [JsonIgnore]
    public ResourceKindFacts Facts => ResourceKinds.Of(Kind);

    /// <summary>True when it has one owner that is stored nowhere: a suspected one is then a mere candidate.</summary>
    [JsonIgnore]
    public bool HasOnlyCandidates => Facts.Owner == OwnerRecord.StoredNowhere;
}
