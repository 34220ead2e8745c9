namespace Dump.Clr.Frames;

/// <summary>
/// Interfaces of the runtime's data-access library: identifiers, and places of methods in their tables, those of IUnknown included. Source, where no other is named:
/// dotnet/runtime, src/coreclr/inc/xclrdata.idl.
/// </summary>
internal static class DataAccessLayout
{
    public static readonly Guid Process = new("5C552AB6-FC09-4CB3-8E36-22FA03C798B7");
    public static readonly Guid Tools = new("436F00F2-B42A-4B9F-870C-E73DB66AE930");
    public const int StartEnumTasks = 4;
    public const int EnumTask = 5;
    public const int EndEnumTasks = 6;
    public const int StartEnumMethodInstancesByAddress = 27;
    public const int EnumMethodInstanceByAddress = 28;
    public const int EndEnumMethodInstancesByAddress = 29;

    /// <summary>Of IXCLRDataMethodInstance.</summary>
    public const int GetILOffsetsByAddress = 12;

    /// <summary>Of IXCLRDataTask.</summary>
    public const int CreateStackWalk = 11;

    /// <summary>Of IXCLRDataTask.</summary>
    public const int GetOSThreadID = 12;

    /// <summary>CLRDATA_SIMPFRAME_MANAGED_METHOD, RUNTIME_MANAGED_CODE, RUNTIME_UNMANAGED_CODE and UNRECOGNIZED: every frame.</summary>
    public const uint AllFrames = 0xF;

    /// <summary>Of IXCLRDataStackWalk.</summary>
    public const int GetContext = 3;

    /// <summary>Of IXCLRDataStackWalk.</summary>
    public const int Next = 5;

    /// <summary>Of IXCLRDataStackWalk.</summary>
    public const int Request = 9;

    /// <summary>DACSTACKPRIV_REQUEST_FRAME_DATA (src/coreclr/inc/dacprivate.h): the address of the runtime's own frame where the walk stands at one.</summary>
    public const uint FrameData = 0xF000_0000;

    /// <summary>CONTEXT_AMD64 with control, integer, segment and floating-point registers, and the extended ones.</summary>
    public const uint X64Registers = 0x10_003F;

    /// <summary>Of ISOSDacInterface (src/coreclr/inc/sospriv.idl).</summary>
    public const int GetMethodDescPtrFromFrame = 23;

    /// <summary>Of ISOSDacInterface.</summary>
    public const int GetFrameName = 43;

    /// <summary>Where ClrMD 4.1 keeps the process: it shows the maps of a method's first code only, and not the interface that has those of all.</summary>
    public const string ServiceOfProcess = "Microsoft.Diagnostics.Runtime.DacImplementation.DacRuntime, Microsoft.Diagnostics.Runtime";
    public const string ProcessOfService = "_dac";
}
