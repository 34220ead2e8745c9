using Dump.Clr.Frames;
using Dump.Clr.Runtimes;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Wording;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Waits;

/// <summary>Says which threads wait for something that could not be identified, where, and what would show it.</summary>
internal static class UnidentifiedWaits
{
    private const int MostNamed = 5;
    private const int Probes = 8;

    /// <summary>The gap in words.</summary>
    /// <param name="threads">The threads; not empty.</param>
    /// <param name="hasAllMemory">True when the dump has all memory, so that a larger one shows no more.</param>
    /// <param name="family">The system, by whose tools threads are named.</param>
    public static MissingData Missing(IReadOnlyList<ManagedThread> threads, bool hasAllMemory, OperatingSystemFamily family)
    {
        string named = string.Join(", ", threads.Take(MostNamed).Select(t => Name(t, family)));
        string rest = threads.Count > MostNamed ? $" and {threads.Count - MostNamed} more" : "";
        string why = hasAllMemory ? "no reference to it on the stack" : "no reference to it on the stack, or its memory is not in the dump";
        return MissingData.Of(
            MissingKind.AwaitedObjects, threads.Count, detail: $"{named}{rest}: {why}", capture: hasAllMemory ? CaptureKind.SecondDump : CaptureKind.FullDump);
    }

    /// <summary>
    /// True when code of the runtime itself, all over its image, is in the dump: only a full one has what can be read from the files as well.
    /// </summary>
    public static bool HasAllMemory(ClrTarget target)
    {
        ModuleInfo module = target.Runtime.ClrInfo.ModuleInfo;
        ulong step = (ulong)Math.Max(module.ImageSize, 0) / (Probes + 1);
        return step > 0 && Enumerable.Range(1, Probes).All(i => target.Target.DataReader.Read(module.ImageBase + ((ulong)i * step), out byte _));
    }

    /// <summary>Where a thread stands: its innermost method outside of the class library, else its innermost one.</summary>
    private static string Name(ManagedThread thread, OperatingSystemFamily family)
    {
        ManagedFrame[] methods = [.. thread.Code.Where(f => f.Method is not null)];
        ManagedFrame? place = methods.FirstOrDefault(f => !f.IsCoreLibrary) ?? methods.FirstOrDefault();
        string? method = place?.Method is { } known ? MethodNames.Of(known) : null;
        return $"thread {ThreadNames.Id(thread.Id, family)}{(method is null ? "" : $" in {method}")}";
    }
}
