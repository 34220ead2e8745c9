namespace Dump.Capture.Windows.Writing;

/// <summary>What a dump of a living process holds: values of MINIDUMP_TYPE (minidumpapiset.h), the same that the debugger extension has written.</summary>
[Flags]
internal enum DumpContent : uint
{
    /// <summary>Registers and stacks only.</summary>
    None = 0,

    /// <summary>Writable data of images.</summary>
    DataSegments = 0x1,

    /// <summary>All memory.</summary>
    FullMemory = 0x2,

    /// <summary>Handles.</summary>
    HandleData = 0x4,

    /// <summary>Modules that were unloaded.</summary>
    UnloadedModules = 0x20,

    /// <summary>What stacks point to.</summary>
    IndirectlyReferencedMemory = 0x40,

    /// <summary>Thread and process blocks.</summary>
    ProcessThreadData = 0x100,

    /// <summary>The list of memory regions.</summary>
    FullMemoryInfo = 0x800,

    /// <summary>Times and start addresses of threads.</summary>
    ThreadInfo = 0x1000,

    /// <summary>Code of images.</summary>
    CodeSegments = 0x2000,

    /// <summary>Memory that cannot be read is left out, and does not end the writing.</summary>
    IgnoreInaccessibleMemory = 0x2_0000,

    /// <summary>What every dump holds.</summary>
    Common = HandleData | UnloadedModules | FullMemoryInfo | ThreadInfo | IgnoreInaccessibleMemory,

    /// <summary>Enough for waits and locks of native code, as long as the images are to be had from their files.</summary>
    ThreadsAndLocks = Common | ProcessThreadData | DataSegments | CodeSegments | IndirectlyReferencedMemory,

    /// <summary>Everything.</summary>
    Everything = Common | FullMemory,
}
