namespace Dump.Model.Managed;

/// <summary>A place in the intermediate language of a managed method: what a portable PDB has lines for.</summary>
/// <param name="Module">Index of its module among the managed modules of the snapshot.</param>
/// <param name="MethodToken">Metadata token of the method.</param>
public sealed record MethodPlace(int Module, int MethodToken)
{
    /// <summary>Offset in the method's intermediate language; null where the runtime has no map for the machine code, and of methods that only wait.</summary>
    public int? Offset { get; init; }

    /// <summary>True when <see cref="Offset"/> is that of the nearest mapped instruction, or the code was, or may have been, optimised.</summary>
    public bool IsApproximate { get; init; }
}
