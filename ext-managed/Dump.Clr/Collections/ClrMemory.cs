using Dump.Readers;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Collections;

/// <summary>The memory of a process as ClrMD reads it.</summary>
internal sealed class ClrMemory(IDataReader reader) : IMemory
{
    /// <inheritdoc/>
    public int Read(ulong address, Span<byte> destination) => Math.Max(0, reader.Read(address, destination));
}
