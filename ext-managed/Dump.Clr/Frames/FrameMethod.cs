using Dump.Model.Text;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Frames;

/// <summary>A method that frames are of, with its names: read once, however many stacks it is on.</summary>
/// <param name="typeName">Full name of its type, or null.</param>
/// <param name="name">Its name, or null.</param>
/// <param name="moduleName">File name of its module without directory, or null.</param>
/// <param name="isOfCoreLibrary">True for a method of the module that holds <c>System.Object</c>.</param>
internal sealed class FrameMethod(string? typeName, string? name, string? moduleName, bool isOfCoreLibrary)
{
    private const int LongestModule = 256;
    private readonly Lazy<string?>? _reportedName;
    private readonly Lazy<string?>? _reportedModule;

    /// <summary>Reads the names of a method of the runtime.</summary>
    /// <param name="method">The method.</param>
    public FrameMethod(ClrMethod method) : this(
        method.Type?.Name, method.Name, FileName(method), method.Type?.Module is { } module && module == module.AppDomain?.Runtime?.BaseClassLibrary)
    {
        Method = method;
        _reportedName = new(() => MethodNames.Of(method));
        _reportedModule = new(() => FileName(method) is { } file ? SafeText.Clean(file, LongestModule) : null);
    }

    /// <summary>The runtime's method, or null for one that is known by its names alone.</summary>
    public ClrMethod? Method { get; }

    /// <summary>Full name of its type, or null.</summary>
    public string? TypeName { get; } = typeName;

    /// <summary>Its name, or null.</summary>
    public string? Name { get; } = name;

    /// <summary>File name of its module without directory, or null.</summary>
    public string? ModuleName { get; } = moduleName;

    /// <summary>True for a method of the module that holds <c>System.Object</c>: the class library whose waits are known.</summary>
    public bool IsOfCoreLibrary { get; } = isOfCoreLibrary;

    /// <summary>Its name with its type's, in the words of a report; null when the metadata that has it is not in the dump.</summary>
    public string? ReportedName => _reportedName?.Value;

    /// <summary>The module in the words of a report, or null.</summary>
    public string? ReportedModule => _reportedModule?.Value;

    private static string? FileName(ClrMethod method) => method.Type?.Module is { } module ? ManagedFrame.FileName(module) : null;
}
