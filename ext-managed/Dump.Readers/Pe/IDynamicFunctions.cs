namespace Dump.Readers.Pe;

/// <summary>Functions that belong to no image: code made at run time, as the process' dynamic function tables list it.</summary>
public interface IDynamicFunctions
{
    /// <summary>The function that covers an absolute address, or null.</summary>
    DynamicFunction? FindDynamicFunction(ulong address);
}

/// <summary>An entry of a dynamic function table.</summary>
/// <param name="BaseAddress">Absolute address that the entry is relative to.</param>
/// <param name="Function">The entry.</param>
public readonly record struct DynamicFunction(ulong BaseAddress, RuntimeFunction Function)
{
    /// <summary>Absolute address of the first byte of code.</summary>
    public ulong Begin => BaseAddress + Function.Begin;

    /// <summary>True when the entry covers the absolute address.</summary>
    public bool Contains(ulong address) => address >= BaseAddress && address - BaseAddress <= uint.MaxValue && Function.Contains((uint)(address - BaseAddress));
}
