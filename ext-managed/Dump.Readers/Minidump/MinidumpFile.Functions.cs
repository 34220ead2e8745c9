using Dump.Readers.Pe;

namespace Dump.Readers.Minidump;

/// <content>Functions of the FunctionTable stream by address.</content>
public sealed partial class MinidumpFile : IDynamicFunctions
{
    private readonly Lazy<DynamicFunction[]> _dynamicFunctions;

    /// <inheritdoc/>
    public DynamicFunction? FindDynamicFunction(ulong address)
    {
        DynamicFunction[] functions = _dynamicFunctions.Value;
        int before = SortedSearch.CountUpTo<DynamicFunction>(functions, address, f => f.Begin);
        return before > 0 && functions[before - 1].Contains(address) ? functions[before - 1] : null;
    }

    /// <summary>All entries by address. A table need not be sorted, and only those of x64 processes have entries of this form.</summary>
    private DynamicFunction[] ReadDynamicFunctions(int maximum)
    {
        List<DynamicFunction> functions = [];
        Span<byte> bytes = stackalloc byte[PeLayout.RuntimeFunctionSize];
        foreach (MinidumpFunctionTable table in FunctionTables.Where(t => t.Entries.Size == (long)t.EntryCount * PeLayout.RuntimeFunctionSize))
        {
            for (long at = table.Entries.Offset; at < table.Entries.Offset + table.Entries.Size && functions.Count < maximum; at += bytes.Length)
            {
                if (_file.Read(at, bytes) == bytes.Length && RuntimeFunction.FromBytes(bytes) is var function && function.End > function.Begin
                    && table.BaseAddress <= ulong.MaxValue - function.End)
                {
                    functions.Add(new DynamicFunction(table.BaseAddress, function));
                }
            }
        }

        return [.. functions.OrderBy(f => f.Begin)];
    }
}
