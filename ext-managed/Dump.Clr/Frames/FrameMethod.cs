using Dump.Model.Text;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Frames;

/// <summary>A method that frames are of, with its names: read once, however many stacks it is on.</summary>
/// <param name="method">The method.</param>
internal sealed class FrameMethod(ClrMethod method)
{
    private const int LongestModule = 256;
    private readonly Lazy<string?> _reportedName = new(() => MethodNames.Of(method));
    private readonly Lazy<string?> _reportedModule = new(() => FileName(method) is { } name ? SafeText.Clean(name, LongestModule) : null);

    public ClrMethod Method { get; } = method;

    /// <summary>Full name of its type, or null.</summary>
    public string? TypeName { get; } = method.Type?.Name;

    /// <summary>Its name, or null.</summary>
    public string? Name { get; } = method.Name;

    /// <summary>File name of its module without directory, or null.</summary>
    public string? ModuleName { get; } = FileName(method);

    /// <summary>True for a method of the module that holds <c>System.Object</c>: the class library whose waits are known.</summary>
    public bool IsOfCoreLibrary { get; } = method.Type?.Module is { } module && module == module.AppDomain?.Runtime?.BaseClassLibrary;

    /// <summary>Its name with its type's, in the words of a report; null when the metadata that has it is not in the dump.</summary>
    public string? ReportedName => _reportedName.Value;

    /// <summary>The module in the words of a report, or null.</summary>
    public string? ReportedModule => _reportedModule.Value;

    private static string? FileName(ClrMethod method) => method.Type?.Module is { } module ? ManagedFrame.FileName(module) : null;
}
