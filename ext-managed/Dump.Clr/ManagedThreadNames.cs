using Dump.Model;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr;

/// <summary>Names of managed threads: <c>Thread._name</c> of the object in the thread static <c>Thread.t_currentThread</c>, which needs no walk over the heap.</summary>
internal sealed class ManagedThreadNames(ClrRuntime runtime)
{
    private const int LongestName = 256;
    private readonly ClrThreadStaticField? _current =
        runtime.BaseClassLibrary?.GetTypeByName("System.Threading.Thread")?.ThreadStaticFields.FirstOrDefault(f => f.Name == "t_currentThread");

    /// <summary>The name of a thread, or null when it has none or it cannot be read.</summary>
    public string? Of(ClrThread thread)
    {
        if (_current is null || !_current.IsInitialized(thread) || _current.ReadObject(thread) is not { IsNull: false, IsValid: true } target)
        {
            return null;
        }

        return target.TryReadStringField("_name", LongestName, out string? name) && name is { Length: > 0 } ? SafeText.Clean(name, LongestName) : null;
    }
}
