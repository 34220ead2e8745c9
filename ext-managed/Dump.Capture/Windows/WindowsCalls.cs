using System.ComponentModel;
using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Security.Principal;
using Dump.Capture.Windows.Calls;
using Dump.Capture.Windows.Chains;
using Dump.Capture.Windows.Holding;
using Dump.Capture.Windows.Messages;
using Dump.Capture.Windows.Processes;
using Dump.Capture.Windows.Writing;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Readers;
using Dump.Readers.Pe;
using Dump.Readers.Windows;

namespace Dump.Capture.Windows;

/// <summary>Windows itself.</summary>
/// <param name="program">This program and what stands before its arguments, to start what stops processes.</param>
/// <param name="writer">Full path of a library with MiniDumpWriteDump; null for the system's.</param>
[SupportedOSPlatform("windows")]
internal sealed class WindowsCalls(IReadOnlyList<string> program, string? writer) : IWindowsCalls
{
    // processthreadsapi.h, PROCESS_INFORMATION_CLASS.
    private const int ProtectionLevel = 7;
    private const int LongestPath = 32_768;

    /// <inheritdoc/>
    public IReadOnlyList<ListedProcess> Processes() => ProcessTable.All();

    /// <inheritdoc/>
    public IOpenProcess? Open(int process)
    {
        AllowOtherUsers();
        return OpenProcess.Of(process);
    }

    /// <inheritdoc/>
    public IReadOnlyList<TopLevelWindow>? TopLevelWindows(int most) => User32.TopLevelWindows(most);

    /// <inheritdoc/>
    public bool IsHung(ulong window) => User32.IsHungAppWindow((nint)window);

    /// <inheritdoc/>
    public int? Ask(ulong window, TimeSpan limit) => User32.Ask((nint)window, limit);

    /// <inheritdoc/>
    public TargetFacts Describe(int process)
    {
        AllowOtherUsers();
        using WindowsHandle read = Kernel32.OpenProcess(WindowsRights.ReadProcess, false, (uint)process);
        int error = read.IsInvalid ? Marshal.GetLastPInvokeError() : 0;
        using WindowsHandle described = Kernel32.OpenProcess(WindowsRights.DescribeProcess, false, (uint)process);
        bool isOpen = !described.IsInvalid;
        bool knowsMachine = Kernel32.IsWow64Process2(isOpen ? described : read, out ushort machine, out ushort system) && isOpen;
        return new TargetFacts
        {
            Id = process,
            Name = isOpen ? NameOf(described) : null,
            OpenError = error,
            EmulatedMachine = knowsMachine ? machine : null,
            SystemMachine = knowsMachine ? system : null,
            Protection = isOpen ? ProtectionOf(described) : null,
            Session = SessionOf(process),
            OwnSession = SessionOf(Environment.ProcessId),
            IsElevated = IsElevated(),
        };
    }

    /// <inheritdoc/>
    public WindowsSample? Sample(int process, int mostThreads)
    {
        TimeSpan moment = Stopwatch.GetElapsedTime(0);
        DateTime taken = DateTime.UtcNow;
        Dictionary<uint, WindowsThreadSample> threads = [];
        foreach (uint id in ThreadList.Of(process, mostThreads))
        {
            using WindowsHandle? thread = ThreadList.Open(process, id, WindowsRights.DescribeThread);
            if (thread is not null && Kernel32.GetThreadTimes(thread, out long created, out _, out long kernel, out long user))
            {
                threads[id] = new WindowsThreadSample(DateTime.FromFileTimeUtc(created), TimeSpan.FromTicks(kernel), TimeSpan.FromTicks(user));
            }
        }

        return threads.Count == 0 ? null : new WindowsSample(moment, taken, threads);
    }

    /// <inheritdoc/>
    public IReadOnlyList<LoadedImage>? Images(int process)
    {
        try
        {
            using Process target = Process.GetProcessById(process);
            using WindowsHandle handle = Kernel32.OpenProcess(WindowsRights.ReadProcess, false, (uint)process);
            LivingMemory memory = new(handle);
            return [.. target.Modules.Cast<ProcessModule>().Select(m => Look(m, memory))];
        }
        catch (Exception error) when (error is Win32Exception or ArgumentException or InvalidOperationException or NotSupportedException)
        {
            return null;
        }
    }

    /// <inheritdoc/>
    public IReadOnlyDictionary<uint, WaitChain> WaitChains(IEnumerable<uint> threads)
    {
        Dictionary<uint, WaitChain> chains = [];
        using WaitChainSession? session = WaitChainSession.Open();
        foreach (uint thread in session is null ? [] : threads)
        {
            if (session!.Of(thread) is { } chain)
            {
                chains[thread] = chain;
            }
        }

        return chains;
    }

    /// <inheritdoc/>
    public long? CommittedBytes(int process, bool onlyImages)
    {
        using WindowsHandle handle = Kernel32.OpenProcess(WindowsRights.ReadProcess, false, (uint)process);
        return handle.IsInvalid ? null : new LivingMemory(handle).CommittedBytes(onlyImages);
    }

    /// <inheritdoc/>
    public ITargetHold Hold(int process) => HoldingProcess.Start(process, program);

    /// <inheritdoc/>
    public WriteAnswer Write(DumpRequest request)
    {
        using WindowsHandle handle = Kernel32.OpenProcess(WindowsRights.ReadProcess, false, (uint)request.Process);
        return handle.IsInvalid ? new WriteAnswer(true, Marshal.GetLastPInvokeError())
            : DumpWriter.Write(handle.DangerousGetHandle(), isClone: false, request, writer);
    }

    /// <inheritdoc/>
    public WriteAnswer WriteClone(DumpRequest request)
    {
        using WindowsHandle handle = Kernel32.OpenProcess(WindowsRights.CloneProcess, false, (uint)request.Process);
        if (handle.IsInvalid)
        {
            return new WriteAnswer(true, Marshal.GetLastPInvokeError());
        }

        using ClonedProcess? clone = ClonedProcess.Of(handle, out int? error);
        return clone is not null ? DumpWriter.Write(clone.Handle, isClone: true, request, writer)
            : error is { } refused ? new WriteAnswer(true, refused) : WriteAnswer.NotAvailable;
    }

    private static LoadedImage Look(ProcessModule module, LivingMemory memory)
    {
        ModuleSnapshot image = new(module.ModuleName, module.FileName, (ulong)module.BaseAddress, (ulong)module.ModuleMemorySize, 0, null, null);
        bool isProgram = module.ModuleName.EndsWith(".exe", StringComparison.OrdinalIgnoreCase);
        return new LoadedImage(module.FileName, PeFileIdentity.InMemory(memory, image.BaseAddress), isProgram ? HoldsRuntime(image, memory) : false);
    }

    private static bool? HoldsRuntime(ModuleSnapshot program, LivingMemory memory)
    {
        using PeImages images = new(memory, new SingleImage(program));
        return images.Find(program) is { } image ? SingleFilePrograms.HoldsRuntime(program, image) : null;
    }

    private static unsafe string? NameOf(WindowsHandle process)
    {
        char[] name = new char[LongestPath];
        uint size = (uint)name.Length;
        fixed (char* into = name)
        {
            return Kernel32.QueryFullProcessImageName(process, 0, into, ref size)
                ? SafeText.Clean(Path.GetFileName(new string(name, 0, (int)size)), 64) : null;
        }
    }

    /// <summary>GetProcessInformation, which Windows 8 and later have.</summary>
    private static unsafe uint? ProtectionOf(WindowsHandle process)
    {
        nint library = NativeLibrary.Load(Kernel32.Library, typeof(WindowsCalls).Assembly, DllImportSearchPath.System32);
        uint level = 0;
        return NativeLibrary.TryGetExport(library, "GetProcessInformation", out nint function)
            && ((delegate* unmanaged<nint, int, uint*, uint, int>)function)(process.DangerousGetHandle(), ProtectionLevel, &level, sizeof(uint)) != 0
            ? level : null;
    }

    private static uint? SessionOf(int process) => Kernel32.ProcessIdToSessionId((uint)process, out uint session) ? session : null;

    private static bool? IsElevated()
    {
        try
        {
            using var user = WindowsIdentity.GetCurrent();
            return new WindowsPrincipal(user).IsInRole(WindowsBuiltInRole.Administrator);
        }
        catch (Exception error) when (error is System.Security.SecurityException or Win32Exception or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>Administrators have the right to look at the processes of others, and must ask for it.</summary>
    private static void AllowOtherUsers()
    {
        try
        {
            Process.EnterDebugMode();
        }
        catch (Win32Exception)
        {
            // Who lacks it reads processes of its own only.
        }
    }
}

/// <summary>A process of which one image is known.</summary>
/// <param name="image">The image.</param>
internal sealed class SingleImage(ModuleSnapshot image) : IModuleMap
{
    /// <inheritdoc/>
    public IReadOnlyList<ModuleSnapshot> Modules { get; } = [image];

    /// <inheritdoc/>
    public ModuleSnapshot? Find(ulong address) => image.Contains(address) ? image : null;
}

/// <summary>Processor times of a process' threads at one moment.</summary>
/// <param name="Moment">When, on a clock that only measures differences.</param>
/// <param name="Taken">When (UTC).</param>
/// <param name="Threads">Its threads by id.</param>
internal sealed record WindowsSample(TimeSpan Moment, DateTime Taken, IReadOnlyDictionary<uint, WindowsThreadSample> Threads)
{
    /// <summary>
    /// What a thread did since an earlier sample, or null when it is not in both. A thread id that was given to a new thread in between is not the same thread.
    /// </summary>
    /// <param name="earlier">The earlier sample.</param>
    /// <param name="thread">Thread id.</param>
    public ProcessorUse? UseSince(WindowsSample earlier, uint thread) =>
        Threads.TryGetValue(thread, out WindowsThreadSample now) && earlier.Threads.TryGetValue(thread, out WindowsThreadSample then)
            && now.Created == then.Created && now.Total >= then.Total
            ? new ProcessorUse(now.Total - then.Total, Moment - earlier.Moment)
            : null;

    /// <summary>Processor times of a thread, or null when it is not in the sample.</summary>
    /// <param name="thread">Thread id.</param>
    public ThreadTimes? TimesOf(uint thread) => Threads.TryGetValue(thread, out WindowsThreadSample sample)
        ? new ThreadTimes(sample.Kernel, sample.User, sample.Created, Taken > sample.Created ? Taken - sample.Created : null)
        : null;
}

/// <summary>Processor times of a thread at the moment of a sample.</summary>
/// <param name="Created">When it was created (UTC).</param>
/// <param name="Kernel">Time in kernel mode.</param>
/// <param name="User">Time in user mode.</param>
internal readonly record struct WindowsThreadSample(DateTime Created, TimeSpan Kernel, TimeSpan User)
{
    /// <summary>Kernel and user time together.</summary>
    public TimeSpan Total => Kernel + User;
}
