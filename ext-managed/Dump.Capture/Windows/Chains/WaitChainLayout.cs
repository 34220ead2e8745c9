namespace Dump.Capture.Windows.Chains;

/// <summary>WAITCHAIN_NODE_INFO and its constants (wct.h; Microsoft Learn, "Wait Chain Traversal").</summary>
internal static class WaitChainLayout
{
    /// <summary>Size of a node in bytes.</summary>
    public const int Size = 280;

    /// <summary>ObjectType.</summary>
    public const int Kind = 0;

    /// <summary>ObjectStatus.</summary>
    public const int Status = 4;

    /// <summary>LockObject.ObjectName: characters of 16 bits, up to a zero.</summary>
    public const int Name = 8;

    /// <summary>Characters of the name (WCT_OBJNAME_LENGTH).</summary>
    public const int NameLength = 128;

    /// <summary>ThreadObject.ProcessId.</summary>
    public const int ProcessId = 8;

    /// <summary>ThreadObject.ThreadId.</summary>
    public const int ThreadId = 12;

    /// <summary>Most nodes of a chain (WCT_MAX_NODE_COUNT).</summary>
    public const int MostNodes = 16;

    /// <summary>WCT_OUT_OF_PROC_FLAG, WCT_OUT_OF_PROC_COM_FLAG and WCT_OUT_OF_PROC_CS_FLAG: chains go on in other processes.</summary>
    public const uint OtherProcesses = 0x1 | 0x2 | 0x4;
}
