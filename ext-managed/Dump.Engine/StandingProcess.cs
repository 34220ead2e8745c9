using Dump.Readers;
using Dump.Readers.Minidump;

namespace Dump.Engine;

/// <summary>
/// A process that stands still in a debugger, at one moment: a small dump describes it, and its memory is asked for. No file of it exists. As long as the debugger
/// names the same moment, all that was read of it stays true.
/// </summary>
/// <param name="name">What the debugger calls the moment; reports show it in the place of a file's name.</param>
public sealed class StandingProcess(string name)
{
    private readonly ProcessPages _pages = new();
    private byte[]? _description;

    /// <summary>What the debugger calls the moment.</summary>
    public string Name { get; } = name;

    /// <summary>Opens it as the dump with all memory that it would be.</summary>
    /// <param name="debugger">Answers what is asked.</param>
    /// <exception cref="InvalidDumpException">The debugger does not describe it, or what it says is no description.</exception>
    internal MinidumpFile Open(IStandingProcessReader debugger) =>
        MinidumpFile.OpenProcess(Name, _description ??= debugger.ReadDescription(), debugger, _pages);
}
