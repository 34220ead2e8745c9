using System.Collections.Immutable;
using Dump.Capture.Windows.Writing;
using Dump.Readers.Pe;

namespace Dump.Capture.Windows;

/// <summary>How much of a living process a dump must hold. The rules are those of the debugger extension (ext-native/src/target/snapshot_plan.cpp).</summary>
/// <param name="Content">What the dump holds.</param>
/// <param name="ImageDirectories">Where the images lie that the dump has no copy of.</param>
internal sealed record DumpPlan(DumpContent Content, ImmutableArray<string> ImageDirectories)
{
    // For lists of modules, handles and regions.
    private const long Overhead = 16L << 20;

    // Of a process whose memory cannot be listed.
    private const long UnknownMemory = 16L << 30;

    // A stack's touched part and what it refers to.
    private const long MostForThread = 4L << 20;

    private static readonly TimeSpan s_longestStop = TimeSpan.FromSeconds(30);

    // Runtimes of .NET (Core), .NET Framework 4 and 2.
    private static readonly string[] s_runtimes = ["coreclr.dll", "clr.dll", "mscorwks.dll", "mscorsvr.dll"];

    /// <summary>Everything.</summary>
    public static DumpPlan Everything { get; } = new(DumpContent.Everything, []);

    /// <summary>True for all memory.</summary>
    public bool IsFull => (Content & DumpContent.FullMemory) != 0;

    /// <summary>
    /// Plans a dump as small as the question allows. A process with a .NET runtime needs everything (locks and collections of .NET may lie anywhere, and so may
    /// what the data-access library wants to read), and so does one whose images cannot be read from the files that it loaded.
    /// </summary>
    /// <param name="images">Its images; null when they cannot be listed.</param>
    /// <param name="identityOf">Reads the identity of an image file, or null.</param>
    public static DumpPlan Of(IReadOnlyList<LoadedImage>? images, Func<string, PeFileIdentity?> identityOf)
    {
        if (images is not { Count: > 0 } || images.Any(i => i.HoldsRuntime != false || s_runtimes.Contains(i.Name, StringComparer.OrdinalIgnoreCase)))
        {
            return Everything;
        }

        ImmutableArray<string>.Builder directories = ImmutableArray.CreateBuilder<string>();
        foreach (LoadedImage image in images)
        {
            // A path that the process names on another machine is not opened: that would tell it who looks, and wait for it.
            if (image.Identity is not { } identity || image.Path is not [_, ':', '\\', ..] || identityOf(image.Path) != identity)
            {
                return Everything;
            }

            // With the separator, without which "C:" would mean another directory.
            string directory = image.Path[..^image.Name.Length];
            if (!directories.Contains(directory, StringComparer.OrdinalIgnoreCase))
            {
                directories.Add(directory);
            }
        }

        return new DumpPlan(DumpContent.ThreadsAndLocks, directories.ToImmutable());
    }

    /// <summary>
    /// For how long the process may be stopped at the most where nothing else is asked for: half a minute, and of all memory half a minute more for each GiB,
    /// as a slow disk takes it.
    /// </summary>
    /// <param name="committed">Bytes of memory that the dump may hold; null when unknown.</param>
    public TimeSpan LongestStop(long? committed) => s_longestStop * (1 + (IsFull ? (double)(committed ?? UnknownMemory) / (1L << 30) : 0));

    /// <summary>How large the dump becomes at the most, in bytes.</summary>
    /// <param name="committed">Bytes of memory that it may hold.</param>
    /// <param name="threads">Number of threads.</param>
    public long LargestSize(long committed, int threads) => committed + Overhead + (IsFull ? 0 : threads * MostForThread);
}
