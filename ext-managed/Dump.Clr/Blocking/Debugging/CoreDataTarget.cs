using System.Runtime.InteropServices.Marshalling;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Blocking.Debugging;

/// <summary>Lets the debugging library read a core.</summary>
[GeneratedComClass]
internal sealed unsafe partial class CoreDataTarget(IDataReader core) : ICorDebugDataTarget
{
    private const int Success = 0;
    private const int Failure = unchecked((int)0x80004005);

    // CorDebugPlatform, dotnet/runtime src/coreclr/inc/cordebug.idl: CORDB_PLATFORM_POSIX_AMD64.
    private const int LinuxX64 = 8;

    public int GetPlatform(int* platform)
    {
        *platform = LinuxX64;
        return Success;
    }

    public int ReadVirtual(ulong address, byte* buffer, uint size, uint* read)
    {
        int count = size > int.MaxValue ? 0 : core.Read(address, new Span<byte>(buffer, (int)size));
        *read = (uint)Math.Max(count, 0);
        return count > 0 ? Success : Failure;
    }

    public int GetThreadContext(uint threadId, uint flags, uint size, byte* context) =>
        size <= int.MaxValue && core.GetThreadContext(threadId, flags, new Span<byte>(context, (int)size)) ? Success : Failure;
}
