namespace Dump.Readers.Linux;

/// <summary>
/// Offsets inside the object that a program with the .NET runtime inside exports as <c>DotNetRuntimeInfo</c>. Source: dotnet/runtime,
/// src/coreclr/debug/runtimeinfo/runtimeinfo.h (struct RuntimeInfo; the runtime's version follows where the structure's own version is 2 or more) and
/// the header that the build makes beside it: an index is a length followed by that many bytes of the module's build id. Seen in singlefilehost of .NET 8, 9, 10.
/// </summary>
internal static class SingleFileRuntimeLayout
{
    /// <summary>Name of the exported object, and its first bytes.</summary>
    public const string Name = "DotNetRuntimeInfo";

    public const int StructureVersion = 20;
    public const int RuntimeIndex = 24;
    public const int DataAccessIndex = 48;
    public const int IndexSize = 24;
    public const int RuntimeVersion = 96;
    public const int RuntimeVersionParts = 4;
    public const uint FirstWithRuntimeVersion = 2;
    public const uint LastKnown = 2;
}
