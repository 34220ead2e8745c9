using System.Collections.Immutable;
using System.Text.Json.Serialization;

namespace Dump.Model.Process;

/// <summary>A module (image) loaded into the process.</summary>
/// <param name="Name">File name without directory (sanitised).</param>
/// <param name="Path">Full path as the dump has it (sanitised).</param>
/// <param name="BaseAddress">Load address.</param>
/// <param name="Size">Size of the image in bytes.</param>
/// <param name="TimeDateStamp">Link time stamp of the PE header.</param>
/// <param name="Version">File version such as <c>10.0.19041.1</c>, or null.</param>
/// <param name="IsSystem">True for modules of the operating system itself, false for others, null when it cannot be told.</param>
public sealed record ModuleSnapshot(
    string Name,
    string Path,
    ulong BaseAddress,
    ulong Size,
    uint TimeDateStamp,
    string? Version,
    bool? IsSystem)
{
    /// <summary>Who made it: CompanyName of its version resource (sanitised), or null when that was not read, has none, or is not in the dump.</summary>
    public string? Vendor { get; init; }

    /// <summary>Address of the entry point (for a DLL: what calls <c>DllMain</c>), or null when the headers were not readable or there is none.</summary>
    public ulong? EntryPoint { get; init; }

    /// <summary>Addresses of the TLS callbacks in the image's TLS directory; empty when there are none or they were not readable.</summary>
    public ImmutableArray<ulong> TlsCallbacks { get; init; } = [];

    /// <summary>
    /// True for a program with the .NET runtime inside, as publishing in a single file makes it; false for one without, null when that was not asked of this
    /// module or could not be read.
    /// </summary>
    public bool? HoldsDotNetRuntime { get; init; }

    /// <summary>True for the runtime of .NET: its library, or a program with the runtime inside. That of .NET Framework is another.</summary>
    [JsonIgnore]
    public bool IsDotNetRuntime => HoldsDotNetRuntime == true || Name.Equals("libcoreclr.so", StringComparison.OrdinalIgnoreCase)
        || Name.Equals("coreclr.dll", StringComparison.OrdinalIgnoreCase);

    /// <summary>True when the address lies inside the image.</summary>
    public bool Contains(ulong address) => address >= BaseAddress && address - BaseAddress < Size;
}
