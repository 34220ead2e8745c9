using System.Collections.Immutable;
using System.Text.Json.Serialization;
using Dump.Model.Contract;
using Dump.Model.Managed;
using Dump.Model.Process;

namespace Dump.Model.Reported;

/// <summary>The objects that a thread's stack and registers refer to, <c>dump-stackobjects/1</c>: what <c>stackobjects</c> prints.</summary>
/// <param name="Thread">Id of the thread.</param>
/// <param name="Objects">The objects, innermost frame first.</param>
public sealed record StackObjectDocument([property: JsonPropertyOrder(1)] uint Thread, [property: JsonPropertyOrder(2)] ImmutableArray<StackObject> Objects)
{
    /// <summary>The system, by whose tools threads are named.</summary>
    [JsonIgnore]
    public OperatingSystemFamily Family { get; init; }

    /// <summary>Name and version of the form.</summary>
    [JsonPropertyOrder(0)]
    public string Schema => SchemaNames.StackObjects;
}
