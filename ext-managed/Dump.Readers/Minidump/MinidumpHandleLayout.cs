namespace Dump.Readers.Minidump;

/// <summary>
/// Sizes and offsets of handle object information. Source: the public definitions of THREAD_BASIC_INFORMATION,
/// MUTANT_BASIC_INFORMATION, MUTANT_OWNER_INFORMATION, EVENT_BASIC_INFORMATION, SEMAPHORE_BASIC_INFORMATION, PROCESS_BASIC_INFORMATION
/// and PROCESS_EXTENDED_BASIC_INFORMATION (System Informer's phnt headers). That the records are these, process ones included, is known
/// from what Microsoft's dbgcore writes (goldshtn/msos reads the process id of the extended record at the same place).
/// </summary>
internal static class MinidumpHandleLayout
{
    /// <summary>Exit status of a thread or process that has not ended (STATUS_PENDING, STILL_ACTIVE in winbase.h).</summary>
    public const uint StillActive = 0x103;

    public const int ThreadBasicExitStatus = 0;
    public const int ThreadBasicSize64 = 0x30;
    public const int ThreadBasicProcessId64 = 0x10;
    public const int ThreadBasicThreadId64 = 0x18;
    public const int ThreadBasicSize32 = 0x1C;
    public const int ThreadBasicProcessId32 = 8;
    public const int ThreadBasicThreadId32 = 0xC;
    public const int MutantBasicSize = 8;
    public const int MutantBasicCount = 0;
    public const int MutantBasicAbandoned = 5;
    public const int MutantOwnerSize64 = 0x10;
    public const int MutantOwnerThreadId64 = 8;
    public const int MutantOwnerSize32 = 8;
    public const int MutantOwnerThreadId32 = 4;
    public const int MutantOwnerProcessId = 0;
    public const int EventBasicSize = 8;
    public const int EventBasicType = 0;
    public const int EventBasicState = 4;
    public const int SemaphoreBasicSize = 8;
    public const int SemaphoreBasicCount = 0;
    public const int SemaphoreBasicMaximum = 4;
    public const int ProcessBasicSize64 = 0x30;
    public const int ProcessBasicProcessId64 = 0x20;
    public const int ProcessBasicSize32 = 0x18;
    public const int ProcessBasicProcessId32 = 0x10;

    /// <summary>The extended record begins with its own size, which fills a pointer; the basic one follows.</summary>
    public const int ProcessExtendedSize64 = 0x40;
    public const int ProcessExtendedBasic64 = 8;
    public const int ProcessExtendedSize32 = 0x20;
    public const int ProcessExtendedBasic32 = 4;
}
