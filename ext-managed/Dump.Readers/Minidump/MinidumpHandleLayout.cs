namespace Dump.Readers.Minidump;

/// <summary>Sizes and offsets of handle object information. Source: the public definitions of THREAD_BASIC_INFORMATION, MUTANT_BASIC_INFORMATION, MUTANT_OWNER_INFORMATION and EVENT_BASIC_INFORMATION (System Informer's phnt headers).</summary>
internal static class MinidumpHandleLayout
{
    public const int ThreadBasicSize64 = 0x30;
    public const int ThreadBasicThreadId64 = 0x18;
    public const int ThreadBasicSize32 = 0x1C;
    public const int ThreadBasicThreadId32 = 0xC;
    public const int MutantBasicSize = 8;
    public const int MutantBasicCount = 0;
    public const int MutantBasicAbandoned = 5;
    public const int MutantOwnerSize64 = 0x10;
    public const int MutantOwnerThreadId64 = 8;
    public const int MutantOwnerSize32 = 8;
    public const int MutantOwnerThreadId32 = 4;
    public const int EventBasicSize = 8;
    public const int EventBasicType = 0;
    public const int EventBasicState = 4;
}
