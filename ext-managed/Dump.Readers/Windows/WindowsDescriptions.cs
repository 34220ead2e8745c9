using System.Globalization;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Readers.Minidump;
using Dump.Readers.Unwinding;
using Dump.Readers.Windows.Layouts;

namespace Dump.Readers.Windows;

/// <summary>Describes the system and the dump in words.</summary>
internal static class WindowsDescriptions
{
    /// <summary>MiniDumpWithFullMemory of MINIDUMP_TYPE (minidumpapiset.h).</summary>
    internal const ulong FullMemoryFlag = MinidumpLayout.FlagFullMemory;

    // The header counts whole seconds: the dump may be up to one second younger than it says, and a thread's age must not be understated.
    private static readonly TimeSpan s_timeStampResolution = TimeSpan.FromSeconds(1);

    // No thread has run for longer: such a time is damage, and the sum of two need not fit.
    private static readonly TimeSpan s_longestTime = TimeSpan.FromDays(100 * 365);

    /// <summary>The operating system.</summary>
    /// <param name="dump">The dump.</param>
    /// <param name="isWine">True when the process ran under Wine.</param>
    public static SystemDescription System(MinidumpFile dump, bool isWine)
    {
        MinidumpSystemInfo system = dump.SystemInfo!;
        uint build = isWine ? system.Build : BuildOfProcess(dump, system) ?? system.Build;
        string name = isWine ? "Wine, reporting Windows" : "Windows";
        string pack = system.ServicePack.Length > 0 ? $" {system.ServicePack}" : "";
        return new SystemDescription(
            system.Architecture,
            system.MajorVersion,
            system.MinorVersion,
            build,
            system.ProcessorCount == 0 ? null : system.ProcessorCount,
            isWine,
            string.Create(CultureInfo.InvariantCulture,
                $"{name} {system.MajorVersion}.{system.MinorVersion}.{build}{pack} {system.Architecture.ToString().ToLowerInvariant()}"));
    }

    /// <summary>The build by the process environment block, or null where that does not tell or is of another version of Windows.</summary>
    private static uint? BuildOfProcess(MinidumpFile dump, MinidumpSystemInfo system)
    {
        if (!StackWalkers.IsKnown(system.Architecture) || dump.Threads.Select(t => t.Teb).FirstOrDefault(t => t != 0) is not (not 0 and < ulong.MaxValue - 0x1000 and var teb))
        {
            return null;
        }

        WindowsAbi abi = new()
        {
            PointerSize = system.Architecture.PointerSize(), IsWine = false, Version = new Version((int)Math.Min(system.MajorVersion, int.MaxValue), 0),
        };
        return dump.ReadPointer(teb + (ulong)new TebLayout(abi).ProcessEnvironmentBlock, abi.PointerSize) is { } block and not 0 and < ulong.MaxValue - 0x1000
            && block + (ulong)new PebLayout(abi).OSMajorVersion is var version && dump.ReadUInt32(version) == system.MajorVersion
            && dump.ReadUInt32(version + sizeof(uint)) == system.MinorVersion && dump.ReadUInt16(version + 2 * sizeof(uint)) is { } build and not 0 ? build : null;
    }

    /// <summary>The dump.</summary>
    /// <param name="dump">The dump.</param>
    /// <param name="displayName">Its name for people.</param>
    public static SourceDescription Source(MinidumpFile dump, string displayName)
    {
        string memory = (dump.Header.Flags & FullMemoryFlag) != 0 ? "full memory" : "partial memory";
        string kind = string.Create(CultureInfo.InvariantCulture, $"Windows minidump, {memory} (flags 0x{dump.Header.Flags:x})");
        string[] comments = [.. dump.Comments.Select(c => c.Text), .. dump.Unreal is { } unreal ? [unreal.Text] : (string[])[]];
        string? comment = comments.Length == 0 ? null : string.Join('\n', comments);
        return new SourceDescription(SafeText.Clean(displayName), kind, dump.FileSize, dump.Header.Written, comment);
    }

    /// <summary>Processor times of a thread, or null when the dump has none for it or they cannot be.</summary>
    public static ThreadTimes? Times(MinidumpFile dump, uint threadId)
    {
        const uint InvalidInformation = 0x8;
        if (dump.ThreadInfos is not { } infos || !infos.TryGetValue(threadId, out MinidumpThreadInfo? info) || (info.DumpFlags & InvalidInformation) != 0
            || Math.Max(info.KernelTime, info.UserTime) > (ulong)s_longestTime.Ticks)
        {
            return null;
        }

        DateTime? created = FileTime(info.CreateTime);
        TimeSpan? age = dump.Header.Written is { } written && created is { } start && written > start ? written + s_timeStampResolution - start : null;
        return new ThreadTimes(TimeSpan.FromTicks((long)info.KernelTime), TimeSpan.FromTicks((long)info.UserTime), created, age);
    }

    private static DateTime? FileTime(ulong value) =>
        value is > 0 and < 2_650_467_743_999_999_999 ? DateTime.FromFileTimeUtc((long)value) : null;
}
