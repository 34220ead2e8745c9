using System.Reflection;
using System.Runtime.InteropServices;
using Microsoft.Diagnostics.Runtime;
using Microsoft.Diagnostics.Runtime.Utilities;
using IAbstractRuntime = Microsoft.Diagnostics.Runtime.AbstractDac.IAbstractRuntime;

namespace Dump.Clr.Frames;

/// <summary>The process as the runtime's data-access library has it, for questions that ClrMD does not ask.</summary>
internal static class DataAccessProcess
{
    private static readonly FieldInfo? s_process =
        Type.GetType(DataAccessLayout.ServiceOfProcess)?.GetField(DataAccessLayout.ProcessOfService, BindingFlags.Instance | BindingFlags.NonPublic);

    /// <summary>ClrMD's own object for it; null where this version of ClrMD keeps it elsewhere.</summary>
    /// <param name="runtime">The runtime.</param>
    public static CallableCOMWrapper? Of(ClrRuntime runtime) =>
        RuntimeServices.Of<IAbstractRuntime>(runtime) is { } service && s_process?.DeclaringType == service.GetType()
            ? s_process.GetValue(service) as CallableCOMWrapper : null;

    /// <summary>A method of an interface.</summary>
    /// <param name="instance">The interface.</param>
    /// <param name="index">Its place in the table.</param>
    public static unsafe void* Slot(nint instance, int index) => (*(void***)instance)[index];

    /// <summary>Gives an interface back; nothing for 0.</summary>
    public static void Release(nint instance)
    {
        if (instance != 0)
        {
            Marshal.Release(instance);
        }
    }
}
