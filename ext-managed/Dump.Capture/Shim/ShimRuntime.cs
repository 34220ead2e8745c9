namespace Dump.Capture.Shim;

/// <summary>A .NET runtime in a living process, as DbgShim lists it.</summary>
/// <param name="Module">Path of its library, or of the program that it lies in (sanitised).</param>
/// <param name="VersionText">What CreateVersionStringFromModule makes of it (sanitised), or null where that fails.</param>
public sealed record ShimRuntime(string Module, string? VersionText)
{
    /// <summary>File name of the module.</summary>
    public string FileName => Module[(Module.LastIndexOfAny(['/', '\\']) + 1)..];
}
