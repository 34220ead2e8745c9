using System.Globalization;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Published;

/// <summary>
/// Makes a process by hand that has what was published of a hang: threads with these frames, locks with these owners. No handles, no time limits.
/// </summary>
internal static class PublishedProcess
{
    private const uint FirstThread = 0x100;
    private const uint Gone = 0x9990;
    private const int LoaderLockOffset = 0x200;
    private const int SectionsOffset = 0x400;
    private const int SectionSize = 0x28;
    private const ulong Semaphore = 0x40;

    /// <summary>
    /// The first build whose waiters for a critical section wait for the section's own address (listings of 24H2), not for the word behind it.
    /// </summary>
    private const uint FirstBuildWithSectionAddress = 26100;

    private static readonly HashSet<string> s_systemModules = new(
        ["ntdll", "KERNELBASE", "kernel32", "win32u", "user32", "combase", "rpcrt4", "comctl32", "oledlg", "d3d11", "CoreMessagingXP"], StringComparer.Ordinal);

    /// <summary>The process.</summary>
    /// <param name="published">What was published.</param>
    /// <param name="exportsOnly">False to name every function, true for the exported ones only.</param>
    public static FakeProcess Build(PublishedCase published, bool exportsOnly)
    {
        Dictionary<string, FakeImage> images = Images(published);
        Dictionary<(string, string), FakeFunction> functions = [];
        Dictionary<string, ulong> locks = [];
        FakeProcess process = new() { Version = Version(published.Build), LoaderLock = Lock(published, images["ntdll"], "LL", LoaderLockOffset) };
        process.Images.AddRange(images.Values);
        locks["LL"] = process.LoaderLock;
        foreach (string name in published.Threads.SelectMany(t => new[] { t.Value("owns"), t.Value("waits") }).OfType<string>().Distinct()
            .Where(n => n != "LL"))
        {
            locks[name] = Lock(published, images["app"], name, SectionsOffset + (locks.Count * SectionSize));
        }

        foreach (PublishedThread thread in published.Threads)
        {
            FakeFunction[] frames = [.. thread.Frames.Select(f => Function(functions, images, f, exportsOnly))];
            ulong word = published.Build >= FirstBuildWithSectionAddress ? 0UL : 8;
            ulong argument = thread.Value("waits") is { } waited && waited != "LL" ? locks[waited] + word : 0;
            process.Threads.Add(new FakeThread(IdOf(process.Threads.Count), frames, argument, thread.Flags.Contains("LO"), Seconds(thread))
            {
                WaitsOnLoaderLock = thread.Flags.Contains("WLL"),
                IsGui = thread.Frames.Any(f => f.Module is "user32" or "win32u"),
            });
            if (thread.Value("hung") is { } window)
            {
                process.Streams.Add(FakeStreams.CommentW($"\r\n*** procdump -ma -h 1\r\n*** Hung window detected: {window[2..]}\r\n"));
            }
        }

        return process;
    }

    private static uint IdOf(int index) => FirstThread + (4 * (uint)index);

    private static double Seconds(PublishedThread thread) => double.Parse(thread.Value("cpu") ?? "0", CultureInfo.InvariantCulture);

    private static (uint, uint, uint) Version(uint build) => build == 9600 ? (6u, 3u, build) : (10u, 0u, build);

    /// <summary>The modules of all frames in the order in which they come, the program first.</summary>
    private static Dictionary<string, FakeImage> Images(PublishedCase published)
    {
        const ulong Distance = 0x1000_0000;
        Dictionary<string, FakeImage> images = new() { ["app"] = new(@"C:\app\app.exe", 0x1_4000_0000) };
        foreach (string module in published.Threads.SelectMany(t => t.Frames).Select(f => f.Module).Append("ntdll"))
        {
            ulong number = (ulong)images.Count;
            images.TryAdd(module, s_systemModules.Contains(module)
                ? new FakeImage($@"C:\Windows\System32\{module}.dll", 0x7FF9_0000_0000 + (number * Distance))
                : new FakeImage($@"C:\app\{module}.dll", 0x1_8000_0000 + (number * Distance)));
        }

        return images;
    }

    /// <summary>A critical section with its owner and as many waiters as wait for it. Waiters of the loader lock before Windows 10 wait for a handle.</summary>
    private static ulong Lock(PublishedCase published, FakeImage image, string name, int offset)
    {
        int owner = published.Threads.ToList().FindIndex(t => t.Value("owns") == name);
        int waiters = published.Threads.Count(t => t.Value("waits") == name);
        uint id = published.Threads.Any(t => t.Value("gone") == name) ? Gone : owner >= 0 ? IdOf(owner) : 0;
        return FakeProcess.Section(image, offset, id, waiters, semaphore: name == "LL" && waiters > 0 ? Semaphore : null);
    }

    private static FakeFunction Function(
        Dictionary<(string, string), FakeFunction> functions, Dictionary<string, FakeImage> images, (string Module, string Name, bool IsExported) frame,
            bool exportsOnly)
    {
        if (!functions.TryGetValue((frame.Module, frame.Name), out FakeFunction? function))
        {
            FakeImage image = images[frame.Module];
            bool isCall = frame.Module is "ntdll" or "win32u" && frame.Name.StartsWith("Nt", StringComparison.Ordinal);
            function = isCall ? image.Stub(frame.Name) : image.Function(frame.Name, frame.IsExported || !exportsOnly);
            functions.Add((frame.Module, frame.Name), function);
        }

        return function;
    }
}
