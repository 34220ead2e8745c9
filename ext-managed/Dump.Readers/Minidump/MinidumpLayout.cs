namespace Dump.Readers.Minidump;

/// <summary>
/// Sizes and offsets of the minidump format. Source: Microsoft's minidumpapiset documentation; checked against dumps of dbghelp, Breakpad and Crashpad.
/// </summary>
internal static class MinidumpLayout
{
    public const uint Signature = 0x504D444D;
    public const int HeaderSize = 32;
    public const int HeaderVersion = 4;
    public const int HeaderStreamCount = 8;
    public const int HeaderDirectory = 12;
    public const int HeaderTimeDateStamp = 20;
    public const int HeaderFlags = 24;
    public const ulong FlagFullMemory = 0x2;
    public const int DirectoryEntrySize = 12;
    public const int DirectorySize = 4;
    public const int DirectoryRva = 8;

    public const uint ThreadListStream = 3;
    public const uint ModuleListStream = 4;
    public const uint MemoryListStream = 5;
    public const uint ExceptionStream = 6;
    public const uint SystemInfoStream = 7;
    public const uint ThreadExListStream = 8;
    public const uint Memory64ListStream = 9;
    public const uint CommentStreamA = 10;
    public const uint CommentStreamW = 11;
    public const uint HandleDataStream = 12;
    public const uint FunctionTableStream = 13;
    public const uint UnloadedModuleListStream = 14;
    public const uint MiscInfoStream = 15;
    public const uint MemoryInfoListStream = 16;
    public const uint ThreadInfoListStream = 17;
    public const uint ThreadNamesStream = 24;

    /// <summary>Unreal Engine's own: the first number behind those that Microsoft reserves (WindowsPlatformCrashContext.cpp).</summary>
    public const uint UnrealStream = 0x10000;

    /// <summary>Crashpad's own stream (crashpad/minidump/minidump_extensions.h, <c>kMinidumpStreamTypeCrashpadInfo</c>).</summary>
    public const uint CrashpadStream = 0x43500001;

    public const int ThreadSize = 48;
    public const int ThreadExSize = 64;
    public const int ThreadSuspendCount = 4;
    public const int ThreadPriorityClass = 8;
    public const int ThreadPriority = 0xC;
    public const int ThreadTeb = 0x10;
    public const int ThreadStackStart = 0x18;
    public const int ThreadStackSize = 0x20;
    public const int ThreadContextSize = 0x28;
    public const int ThreadContextRva = 0x2C;

    public const int ModuleSize = 108;
    public const int ModuleImageSize = 8;
    public const int ModuleCheckSum = 0xC;
    public const int ModuleTimeDateStamp = 0x10;
    public const int ModuleName = 0x14;
    public const int ModuleVersion = 0x18;
    public const int ModuleVersionSignature = 0;
    public const uint VersionSignature = 0xFEEF04BD;
    public const int ModuleVersionHigh = 8;
    public const int ModuleVersionLow = 12;
    public const int ModuleCodeViewSize = 0x4C;
    public const int ModuleCodeViewRva = 0x50;
    public const uint CodeViewRsds = 0x53445352;
    public const int CodeViewGuid = 4;
    public const int CodeViewAge = 20;
    public const int CodeViewName = 24;

    public const int MemoryDescriptorSize = 16;
    public const int MemoryDescriptorBytes = 8;
    public const int MemoryDescriptorRva = 12;
    public const int Memory64HeaderSize = 16;
    public const int Memory64BaseRva = 8;
    public const int Memory64Size = 8;

    public const int SystemInfoNeeded = 0x1C;
    public const int SystemProcessors = 6;
    public const int SystemProductType = 7;
    public const int SystemMajor = 8;
    public const int SystemMinor = 0xC;
    public const int SystemBuild = 0x10;
    public const int SystemPlatform = 0x14;
    public const int SystemServicePack = 0x18;
    public const int SystemWineMarker = 56;
    public const uint WineMarker = 0x454E4957;

    public const int MiscFlags = 4;
    public const int MiscProcessId = 8;
    public const int MiscCreateTime = 0xC;
    public const int MiscUserTime = 0x10;
    public const int MiscKernelTime = 0x14;
    public const int MiscMinimumSize = 24;
    public const int MiscBuildString = 0xE8;
    public const int MiscBuildStringCharacters = 260;
    public const int MiscDebugBuildString = 0x2F0;
    public const int MiscDebugBuildStringCharacters = 40;
    public const int MiscSizeWithBuildString = 832;
    public const uint MiscFlagProcessId = 1;
    public const uint MiscFlagTimes = 2;
    public const uint MiscFlagBuildString = 0x100;

    public const int ListHeaderEntrySize = 4;
    public const int ListHeaderCount = 8;
    public const int ThreadInfoHeaderSize = 12;
    public const int ThreadInfoSize = 64;
    public const int MemoryInfoHeaderSize = 16;
    public const int MemoryInfoSize = 48;
    public const int MemoryInfoAllocationBase = 8;
    public const int MemoryInfoAllocationProtect = 0x10;
    public const int MemoryInfoRegionSize = 0x18;
    public const int MemoryInfoState = 0x20;
    public const int MemoryInfoProtect = 0x24;
    public const int MemoryInfoType = 0x28;
    public const uint MemoryStateCommit = 0x1000;
    public const uint MemoryProtectNoAccess = 0x1;
    public const uint MemoryProtectGuard = 0x100;
    public const int UnloadedHeaderSize = 12;
    public const int UnloadedSize = 24;
    public const int HandleHeaderSize = 16;
    public const int HandleSize1 = 32;
    public const int HandleSize2 = 40;
    public const int ThreadNameSize = 12;
    public const int FunctionTableHeaderSize = 24;
    public const int FunctionTableDescriptor = 4;
    public const int FunctionTableNative = 8;
    public const int FunctionTableEntry = 0xC;
    public const int FunctionTableCount = 0x10;
    public const int FunctionTablePadding = 0x14;
    public const int FunctionTableDescriptorSize = 32;
    public const int FunctionTableMaximum = 8;
    public const int FunctionTableBase = 0x10;
    public const int FunctionTableEntryCount = 0x18;
    public const int FunctionTableEntryPadding = 0x1C;

    public const int ExceptionSize = 168;
    public const int ExceptionMaxParameters = 15;
    public const int ExceptionCode = 8;
    public const int ExceptionFlags = 0xC;
    public const int ExceptionAddress = 0x18;
    public const int ExceptionParameterCount = 0x20;
    public const int ExceptionParameters = 0x28;
    public const int ExceptionContextSize = 0xA0;
    public const int ExceptionContextRva = 0xA4;
}
