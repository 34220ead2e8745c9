namespace Dump.Fuzz.Targets;

/// <summary>All readers under fuzz, by name.</summary>
internal static class FuzzTargets
{
    private static readonly (string Name, Func<FuzzTarget> Make)[] s_all =
    [
        ("minidump", MinidumpTarget.OfScenes), ("minidump-real", MinidumpTarget.OfFixtures), ("unwind-x64", () => new X64UnwindTarget()),
        ("unwind-arm64", () => new Arm64UnwindTarget()), ("unwind-x86", () => new X86UnwindTarget()), ("pe", () => new PeTarget()),
        ("pdb", () => new PdbTarget()), ("pdb-portable", () => new PortablePdbTarget()), ("elf", () => new ElfImageTarget()),
        ("elf-core", () => new ElfCoreTarget()), ("cfi", () => new FrameInformationTarget()), ("gzip", ArchiveTarget.OfGzip), ("zip", ArchiveTarget.OfZip),
        ("cabinet", ArchiveTarget.OfCabinets), ("record", () => new RecordTarget()), ("rules", () => new RulesTarget()),
        ("wine", () => new ManagedHalfTarget()), ("symbol-server", () => new SymbolServerTarget()), ("signature", () => new SignatureTarget()),
        ("store", () => new StoreTarget()), ("names-cpp", MangledNameTarget.OfCpp), ("names-rust", MangledNameTarget.OfRust),
        ("process-description", () => new ProcessDescriptionTarget()), ("conversation", () => new ConversationTarget()), ("proc", () => new ProcFileTarget()),
    ];

    /// <summary>Their names, in the order in which they are run.</summary>
    public static IReadOnlyList<string> Names { get; } = [.. s_all.Select(t => t.Name)];

    /// <summary>Makes the one of a name.</summary>
    /// <exception cref="InvalidOperationException">There is none.</exception>
    public static FuzzTarget Named(string name) => s_all.Single(t => t.Name == name).Make();
}
