using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Process;

namespace Dump.Readers.Linux;

/// <summary>What stays unknown of a Linux process that runs no .NET.</summary>
public static class NativeCodeGaps
{
    /// <summary>True for a core that does not say which files were mapped: but for what the kernel maps, it has no modules.</summary>
    /// <param name="native">The process.</param>
    public static bool ListsNoFiles(ProcessSnapshot native) => !native.Modules.Any(m => m.Name != SystemLibrary.Name);

    /// <summary>What is missing.</summary>
    /// <param name="native">The process.</param>
    public static ImmutableArray<MissingData> Of(ProcessSnapshot native) =>
    [
        .. OtherRuntime.In(native.Modules.Select(m => m.Name)) is { } runtime ? [MissingData.Of(MissingKind.CodeOfOtherRuntime, subject: runtime)] : Array.Empty<MissingData>(),
        MissingData.Of(native.Available.Stacks ? MissingKind.EndersOfNativeWaits : MissingKind.NativeStacks),
    ];
}
