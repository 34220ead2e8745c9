using System.Text.Json.Serialization;

namespace Dump.Model.Facts;

/// <summary>One observation that supports a fact: what was seen, and where.</summary>
/// <param name="Source">The kind of place that was read.</param>
/// <param name="Text">What was seen, as one clause without a final full stop, for example <c>RTL_CRITICAL_SECTION.OwningThread = 0x1a4</c>.</param>
/// <param name="Address">The address that was read, or null when the observation has none.</param>
/// <param name="Value">The value found there, or null when it is not a number.</param>
public sealed record Evidence([property: JsonRequired] EvidenceSource Source, [property: JsonRequired] string Text, ulong? Address = null, ulong? Value = null);

/// <summary>Where a piece of evidence was read from.</summary>
public enum EvidenceSource
{
    /// <summary>A field of a structure in the process' memory.</summary>
    Memory,

    /// <summary>A stream of the dump, for example the handle or thread-information stream.</summary>
    DumpStream,

    /// <summary>A register of a thread's saved context or of an unwound frame.</summary>
    Register,

    /// <summary>Functions named on a thread's stack.</summary>
    Stack,

    /// <summary>The bytes of an instruction.</summary>
    Code,

    /// <summary>A record of the .NET runtime, read through its own data-access library.</summary>
    Runtime,

    /// <summary>What the operating system itself says of a living process.</summary>
    System,

    /// <summary>A conclusion from other evidence under a documented rule.</summary>
    Rule,
}
