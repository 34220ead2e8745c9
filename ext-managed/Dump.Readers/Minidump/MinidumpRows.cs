using Dump.Readers.Registers;

namespace Dump.Readers.Minidump;

/// <summary>The content of a minidump as named rows, which text and JSON print alike.</summary>
internal static class MinidumpRows
{
    /// <summary>The section of the comment streams.</summary>
    public const string Comments = "comments";

    /// <summary>The section of the UnloadedModuleList stream.</summary>
    public const string UnloadedModules = "unloadedModules";

    /// <summary>Sections in a fixed order, each with its rows. Absent streams have no section.</summary>
    public static IEnumerable<(string Section, IEnumerable<IReadOnlyList<(string Name, object? Value)>> Rows)> Of(MinidumpFile dump)
    {
        yield return ("header", [[("version", new BitPattern(dump.Header.Version)), ("streams", dump.Header.StreamCount),
            ("timeDateStamp", dump.Header.TimeDateStamp), ("flags", dump.Header.Flags)]]);
        yield return ("directory", dump.Streams.Select(s => Row(("type", s.Type), ("name", StreamNames.Of(s.Type)), ("offset", s.Range.Offset),
            ("size", s.Range.Size))));
        if (dump.SystemInfo is { } system)
        {
            yield return ("systemInfo", [Row(
                ("architecture", system.Architecture.ToString()), ("processors", system.ProcessorCount), ("productType", system.ProductType),
                ("major", system.MajorVersion), ("minor", system.MinorVersion), ("build", system.Build), ("platform", system.PlatformId),
                ("servicePack", system.ServicePack), ("wine", system.WineVersion))]);
        }

        if (dump.MiscInfo is { } misc)
        {
            yield return ("miscInfo", [Row(
                ("size", misc.Size), ("flags", new BitPattern(misc.Flags)), ("processId", misc.ProcessId), ("createTime", misc.CreateTime),
                ("userTime", misc.UserTime),
                ("kernelTime", misc.KernelTime), ("build", misc.BuildString), ("writer", misc.DebugBuildString))]);
        }

        foreach ((string, IEnumerable<IReadOnlyList<(string, object?)>>) section in Lists(dump))
        {
            yield return section;
        }

        yield return (Comments, dump.Comments.Select(c => Row(("text", c.Text))));
        yield return ("problems", dump.Problems.Select(p => Row(("where", p.Where), ("message", p.Message), ("offset", p.Offset))));
    }

    private static IEnumerable<(string, IEnumerable<IReadOnlyList<(string, object?)>>)> Lists(MinidumpFile dump)
    {
        yield return ("threads", dump.Threads.Select(t => Row(
            ("id", new BitPattern(t.Id)), ("suspend", t.SuspendCount), ("priorityClass", t.PriorityClass), ("priority", t.Priority), ("teb", t.Teb),
            ("stack", t.StackStart), ("stackSize", t.StackSize),
            ("contextFlags", t.ContextFlags is { } flags ? new BitPattern(flags) : (BitPattern?)null), ("ip", t.InstructionPointer), ("sp", t.StackPointer))));
        yield return ("registers", dump.Threads.Where(t => t.Registers is not null).Select(t => Registers(t.Id, t.Registers!)));
        if (dump.ThreadInfos is { } infos)
        {
            yield return ("threadInfos", infos.Values.Select(i => Row(
                ("id", new BitPattern(i.ThreadId)), ("flags", new BitPattern(i.DumpFlags)), ("error", new BitPattern(i.DumpError)),
            ("exitStatus", new BitPattern(i.ExitStatus)), ("created", i.CreateTime), ("exited", i.ExitTime),
                ("kernel", i.KernelTime), ("user", i.UserTime), ("start", i.StartAddress), ("affinity", i.Affinity))));
        }

        if (dump.ThreadNames is { } names)
        {
            yield return ("threadNames", names.Select(n => Row(("id", new BitPattern(n.Key)), ("name", n.Value))));
        }

        yield return ("modules", dump.ModuleList.Select(m => Row(
            ("base", m.BaseAddress), ("size", m.Size), ("checkSum", new BitPattern(m.CheckSum)), ("timeDateStamp", new BitPattern(m.TimeDateStamp)),
            ("path", m.Path),
            ("version", m.FileVersion), ("pdb", m.PdbName), ("pdbGuid", m.PdbGuid), ("pdbAge", m.PdbAge))));
        if (dump.UnloadedModules is { } unloaded)
        {
            yield return (UnloadedModules, unloaded.Select(m => Row(
                ("base", m.BaseAddress), ("size", m.Size), ("checkSum", new BitPattern(m.CheckSum)), ("timeDateStamp", new BitPattern(m.TimeDateStamp)),
                ("name", m.Name))));
        }

        if (dump.Exception is { } exception)
        {
            yield return ("exception", [Row(
                ("thread", new BitPattern(exception.ThreadId)), ("code", (ulong)exception.Code), ("flags", new BitPattern(exception.Flags)),
                ("address", exception.Address),
                ("parameters", string.Join(' ', exception.Parameters.Select(p => $"0x{p:x}"))),
                ("ip", exception.InstructionPointer), ("sp", exception.StackPointer))]);
        }

        if (dump.Handles is { } handles)
        {
            yield return ("handles", handles.Select(h => Row(
                ("value", h.Value), ("type", h.TypeName), ("name", h.ObjectName), ("attributes", new BitPattern(h.Attributes)),
                ("access", (ulong)h.GrantedAccess),
                ("handles", h.HandleCount), ("pointers", h.PointerCount),
                ("information", string.Join(' ', h.Information.Select(i => $"{i.Type}:{Convert.ToHexString(i.Data.Span)}"))))));
        }

        yield return ("functionTables", dump.FunctionTables.Select(t => Row(
            ("minimum", t.MinimumAddress), ("maximum", t.MaximumAddress), ("base", t.BaseAddress), ("entries", t.EntryCount))));
        if (dump.MemoryRegions is { } regions)
        {
            yield return ("memoryRegions", regions.Select(r => Row(
                ("address", r.Address), ("allocation", r.AllocationBase), ("size", r.Size), ("state", (ulong)r.State), ("protect", (ulong)r.Protect),
                ("type", (ulong)r.Type))));
        }

        yield return ("memory", dump.MemoryRanges.Select(r => Row(("address", r.Address), ("offset", r.Bytes.Offset), ("size", r.Bytes.Size))));
    }

    private static IReadOnlyList<(string, object?)> Registers(uint thread, IFrameRegisters registers) =>
    [
        ("id", new BitPattern(thread)),
        .. registers.Named.Select(r => (r.Name, (object?)r.Value)),
    ];

    private static IReadOnlyList<(string, object?)> Row(params (string, object?)[] cells) => cells;
}

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

/// <summary>A 32-bit value that people read in hexadecimal: flags, codes, ids, time stamps of images. A number in JSON.</summary>
/// <param name="Value">The value.</param>
internal readonly record struct BitPattern(uint Value);
