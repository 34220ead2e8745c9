using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Process;

namespace Dump.Readers.Elf;

/// <summary>Where in the source code an address is.</summary>
/// <param name="Source">The line in the function whose code it is: of what is inlined there, the line of the call. Null when unknown.</param>
/// <param name="Inlined">The program's functions that are inlined there, innermost first.</param>
internal sealed record LinePlace(SourceLocation? Source, ImmutableArray<InlinedCall> Inlined)
{
    /// <summary>Of an address of which nothing is known.</summary>
    public static LinePlace Unknown { get; } = new(null, []);
}
