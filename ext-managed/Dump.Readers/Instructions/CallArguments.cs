namespace Dump.Readers.Instructions;

/// <summary>Arguments of a call as far as the caller's code shows them. A null argument is unknown.</summary>
/// <param name="First">RCX.</param>
/// <param name="Second">RDX.</param>
/// <param name="Third">R8.</param>
/// <param name="Fourth">R9.</param>
public sealed record CallArguments(ulong? First, ulong? Second, ulong? Third, ulong? Fourth)
{
    /// <summary>Nothing is known.</summary>
    public static CallArguments Unknown { get; } = new(null, null, null, null);
}
