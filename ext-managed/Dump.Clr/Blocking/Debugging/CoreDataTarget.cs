using System.Runtime.InteropServices;
using System.Runtime.InteropServices.Marshalling;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Blocking.Debugging;

/// <summary>Lets the debugging library read a dump.</summary>
[GeneratedComClass]
internal sealed unsafe partial class CoreDataTarget(IDataReader core) : ICorDebugDataTarget
{
    private const int Success = 0;
    private const int Failure = unchecked((int)0x80004005);

    // CorDebugPlatform, dotnet/runtime src/coreclr/inc/cordebug.idl: CORDB_PLATFORM_WINDOWS_AMD64, _WINDOWS_ARM64, _POSIX_AMD64, _POSIX_ARM64.
    private const int WindowsX64 = 1;
    private const int WindowsArm64 = 7;
    private const int LinuxX64 = 8;
    private const int LinuxArm64 = 11;

    public int GetPlatform(int* platform)
    {
        bool isWindows = core.TargetPlatform == OSPlatform.Windows;
        *platform = core.Architecture == Architecture.Arm64 ? isWindows ? WindowsArm64 : LinuxArm64 : isWindows ? WindowsX64 : LinuxX64;
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
