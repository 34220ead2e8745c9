using Dump.Readers;

namespace Dump.Engine;

/// <summary>The debugger in which a process stands still.</summary>
public interface IStandingProcessReader : IMemory
{
    /// <summary>Reads the small dump that describes the process.</summary>
    /// <exception cref="InvalidDumpException">It cannot be had.</exception>
    byte[] ReadDescription();

    /// <summary>Throws when something that was read rests on what could not be asked for.</summary>
    /// <exception cref="InvalidDumpException">That is so.</exception>
    void ThrowIfFailed();
}
