using Dump.Fuzz.Shipped;

namespace Dump.Fuzz.Kinds;

/// <summary>All kinds of input for the shipped program, by name.</summary>
internal static class ProgramKinds
{
    /// <summary>Their names, in the order in which they are run.</summary>
    public static IReadOnlyList<string> Names { get; } = ["minidump", "minidump-files", "core", "core-real", "core-managed", "bomb"];

    /// <summary>Makes the one of a name.</summary>
    /// <param name="name">The name.</param>
    /// <param name="core">A core of a .NET process to change; null to make one.</param>
    /// <exception cref="InvalidOperationException">This machine cannot make its inputs.</exception>
    public static ProgramKind Named(string name, string? core) => name switch
    {
        "minidump" => new MinidumpKind(),
        "minidump-files" => new MinidumpFilesKind(),
        "core" => new CoreKind(),
        "core-real" when OperatingSystem.IsLinux() => new RealCoreKind(),
        "core-managed" when OperatingSystem.IsLinux() => new ManagedCoreKind(core),
        "bomb" => new BombKind(),
        _ => throw new InvalidOperationException($"{name} needs Linux"),
    };
}
