namespace Dump.Readers.Minidump;

/// <summary>Names of stream types. Source: MINIDUMP_STREAM_TYPE of minidumpapiset.h.</summary>
internal static class StreamNames
{
    private static readonly Dictionary<uint, string> s_names = new()
    {
        [MinidumpLayout.ThreadListStream] = "ThreadList",
        [MinidumpLayout.ModuleListStream] = "ModuleList",
        [MinidumpLayout.MemoryListStream] = "MemoryList",
        [MinidumpLayout.ExceptionStream] = "Exception",
        [MinidumpLayout.SystemInfoStream] = "SystemInfo",
        [MinidumpLayout.ThreadExListStream] = "ThreadExList",
        [MinidumpLayout.Memory64ListStream] = "Memory64List",
        [MinidumpLayout.HandleDataStream] = "HandleData",
        [MinidumpLayout.FunctionTableStream] = "FunctionTable",
        [MinidumpLayout.UnloadedModuleListStream] = "UnloadedModuleList",
        [MinidumpLayout.MiscInfoStream] = "MiscInfo",
        [MinidumpLayout.MemoryInfoListStream] = "MemoryInfoList",
        [MinidumpLayout.ThreadInfoListStream] = "ThreadInfoList",
        [MinidumpLayout.ThreadNamesStream] = "ThreadNames",
        [MinidumpLayout.CommentStreamA] = "CommentA",
        [MinidumpLayout.CommentStreamW] = "CommentW",
        [MinidumpLayout.UnrealStream] = "Unreal",
        [MinidumpLayout.CrashpadStream] = "CrashpadInfo",
    };

    /// <summary>The name, or null for a type that the reader does not know.</summary>
    public static string? Of(uint type) => s_names.GetValueOrDefault(type);
}
