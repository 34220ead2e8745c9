namespace Dump.Capture.Windows.Writing;

/// <summary>Structures that MiniDumpWriteDump takes and its callback gets (minidumpapiset.h, which packs them to 4 bytes), of a 64-bit program.</summary>
internal static class MinidumpCallbackLayout
{
    /// <summary>MINIDUMP_CALLBACK_INPUT.CallbackType, behind ProcessId and ProcessHandle.</summary>
    public const int CallbackType = 12;

    /// <summary>MINIDUMP_CALLBACK_OUTPUT.CheckCancel, for <see cref="Cancel"/>.</summary>
    public const int CheckCancel = 0;

    /// <summary>MINIDUMP_CALLBACK_OUTPUT.Cancel.</summary>
    public const int Cancelled = 4;

    /// <summary>MINIDUMP_CALLBACK_OUTPUT.Status, for <see cref="IsProcessSnapshot"/>.</summary>
    public const int Status = 0;

    /// <summary>MINIDUMP_CALLBACK_INFORMATION: the routine and its parameter.</summary>
    public const int InformationSize = 16;

    /// <summary>Offset of the parameter in it.</summary>
    public const int InformationParameter = 8;

    /// <summary>MINIDUMP_USER_STREAM_INFORMATION: the number of streams, and where they stand.</summary>
    public const int StreamsSize = 12;

    /// <summary>Offset of the streams' address in it.</summary>
    public const int StreamsAddress = 4;

    /// <summary>MINIDUMP_USER_STREAM: type, size in bytes, address.</summary>
    public const int StreamSize = 16;

    /// <summary>Offset of the size in it.</summary>
    public const int StreamBytes = 4;

    /// <summary>Offset of the address in it.</summary>
    public const int StreamAddress = 8;

    /// <summary>CommentStreamW of MINIDUMP_STREAM_TYPE.</summary>
    public const uint CommentStream = 11;

    /// <summary>MemoryCallback of MINIDUMP_CALLBACK_TYPE: which further memory to write; to say false ends the questions.</summary>
    public const uint Memory = 5;

    /// <summary>CancelCallback.</summary>
    public const uint Cancel = 6;

    /// <summary>RemoveMemoryCallback: which memory to leave out.</summary>
    public const uint RemoveMemory = 10;

    /// <summary>IsProcessSnapshotCallback: S_FALSE for a snapshot of PssCaptureSnapshot.</summary>
    public const uint IsProcessSnapshot = 16;
}
