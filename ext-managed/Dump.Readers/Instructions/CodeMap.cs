using Dump.Readers.Pe;

namespace Dump.Readers.Instructions;

/// <summary>Tells addresses of code from others by module headers and dynamic function tables.</summary>
internal sealed class CodeMap(IModuleMap modules, PeImages images, IDynamicFunctions? dynamicFunctions)
{
    // Headers fill the first page of an image.
    private const ulong FirstCode = 0x1000;

    /// <summary>
    /// True when the address lies in executable code of a module or behind an instruction of a dynamic function, false when it does not,
    /// null when it lies in a module whose headers are not readable, so that nothing tells code from data.
    /// </summary>
    public bool? IsCode(ulong address)
    {
        if (modules.Find(address) is not { } module)
        {
            // A call that never returns may be the function's last instruction.
            return dynamicFunctions?.FindDynamicFunction(address) is not null
                || (address > 0 && dynamicFunctions?.FindDynamicFunction(address - 1) is not null);
        }

        ulong offset = address - module.BaseAddress;
        return images.Find(module) is { } image ? image.FindSection((uint)offset) is { IsExecutable: true }
            : offset < FirstCode ? false
            : null;
    }
}
