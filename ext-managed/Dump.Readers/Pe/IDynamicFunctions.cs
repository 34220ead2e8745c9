namespace Dump.Readers.Pe;

/// <summary>Functions that belong to no image: code made at run time, as the process' dynamic function tables list it.</summary>
public interface IDynamicFunctions
{
    /// <summary>The function that covers an absolute address, or null.</summary>
    DynamicFunction? FindDynamicFunction(ulong address);
}
