using Dump.Readers.Minidump;

namespace Dump.Cli.Running;

/// <summary>A moment at which a process stands still, and what was read of it: as long as the debugger names the same one, all of that is true.</summary>
/// <param name="name">What the debugger calls it, in the place of a dump's name.</param>
internal sealed class DescribedMoment(string name)
{
    /// <summary>What the debugger calls it.</summary>
    public string Name { get; } = name;

    /// <summary>Its memory, as far as it was read.</summary>
    public ProcessPages Pages { get; } = new();

    /// <summary>The small dump that describes it; null until it was asked for.</summary>
    public byte[]? Description { get; set; }
}
