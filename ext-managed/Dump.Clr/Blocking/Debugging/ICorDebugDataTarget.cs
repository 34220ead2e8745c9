using System.Runtime.InteropServices;
using System.Runtime.InteropServices.Marshalling;

namespace Dump.Clr.Blocking.Debugging;

/// <summary>
/// What the runtime's debugging library reads the process through. Declared in dotnet/runtime,
/// src/coreclr/inc/cordebug.idl, as are all interfaces of this folder.
/// </summary>
[GeneratedComInterface]
[Guid("FE06DC28-49FB-4636-A4A3-E80DB4AE116C")]
internal unsafe partial interface ICorDebugDataTarget
{
    /// <summary>Says which operating system and processor the process ran on (CorDebugPlatform).</summary>
    [PreserveSig]
    int GetPlatform(int* platform);

    /// <summary>Reads memory, as much as there is.</summary>
    [PreserveSig]
    int ReadVirtual(ulong address, byte* buffer, uint size, uint* read);

    /// <summary>Reads the registers of a thread.</summary>
    [PreserveSig]
    int GetThreadContext(uint threadId, uint flags, uint size, byte* context);
}
