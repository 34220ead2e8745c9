using Dump.Capture;
using Dump.Readers.Cabinets;
using Dump.Readers.Symbols;

namespace Dump.Engine.Living;

/// <summary>How a living process is looked at.</summary>
public sealed record LivingSettings
{
    /// <summary>How it is sampled, stopped and read.</summary>
    public LiveReadOptions Look { get; init; } = new();

    /// <summary>False not to ask DbgShim.</summary>
    public bool AsksShim { get; init; } = true;

    /// <summary>The file of DbgShim, which is then asked for the runtimes of the process; null for one beside an installed runtime, if there is any.</summary>
    public string? Shim { get; init; }

    /// <summary>Where PDB files are.</summary>
    public SymbolSearchPath Symbols { get; init; } = SymbolSearchPath.Parse(null);

    /// <summary>Unpacks compressed files of symbol stores; null for none.</summary>
    public ICabinets? Cabinets { get; init; }
}
