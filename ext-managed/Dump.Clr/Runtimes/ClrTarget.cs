using System.Runtime.InteropServices;
using Dump.Clr.Frames;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Text;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Runtimes;

/// <summary>A dump opened through its runtime's data-access library (DAC).</summary>
internal sealed class ClrTarget : IDisposable
{
    private readonly Lazy<ClrThreadPool?> _threadPool;
    private readonly Lazy<StackReader> _stacks;

    private ClrTarget(DataTarget target, ClrInfo info, ClrRuntime runtime, LocatedDac located)
    {
        _threadPool = new Lazy<ClrThreadPool?>(() => runtime.ThreadPool);
        _stacks = new Lazy<StackReader>(() => new StackReader(runtime));
        Target = target;
        Info = info;
        Runtime = runtime;
        DacPath = located.Path!;
        DebuggingPath = located.DebuggingPath;
    }

    public DataTarget Target { get; }

    public ClrInfo Info { get; }

    /// <summary>The family of operating systems that the process ran on.</summary>
    public OperatingSystemFamily Family => FamilyOf(Runtime);

    /// <summary>The family of operating systems that the process of a runtime ran on.</summary>
    public static OperatingSystemFamily FamilyOf(ClrRuntime runtime) =>
        runtime.DataTarget.DataReader.TargetPlatform == OSPlatform.Linux ? OperatingSystemFamily.Linux : OperatingSystemFamily.Windows;

    public ClrRuntime Runtime { get; }

    public string DacPath { get; }

    /// <summary>What <see cref="LocatedDac.DebuggingPath"/> is.</summary>
    public string? DebuggingPath { get; }

    /// <summary>
    /// What ClrMD knows of the thread pool, asked once and only where it matters: each question makes it look for types by their names, some milliseconds.
    /// </summary>
    public ClrThreadPool? ThreadPool => _threadPool.Value;

    /// <summary>Reads its managed stacks.</summary>
    public StackReader Stacks => _stacks.Value;

    /// <summary>Opens a dump. Nothing is fetched from the network, and no code is loaded from a place that only the dump names.</summary>
    /// <param name="load">Opens its bytes.</param>
    /// <param name="options">How to read.</param>
    /// <param name="missing">Why there is no managed half, when null is returned and the process has a runtime; else null.</param>
    public static ClrTarget? Open(Func<DataTargetOptions, DataTarget> load, ClrReadOptions options, out MissingData? missing)
    {
        missing = null;
        if (options.Crash is { } crash)
        {
            missing = MissingData.Of(MissingKind.ManagedHalf, subject: crash);
            return null;
        }

        DataTarget? target = null;
        try
        {
            // Takes the place of ClrMD's own, which asks symbol servers.
            TrustedFiles files = new();
            DataTargetOptions settings = new()
            {
                FileLocator = files,

                // Windows checks Microsoft's signature. Who names a directory vouches for it: libraries of old releases and of own builds are not signed so.
                DacSignatureVerificationOverride = library => options.DacDirectory is not { } directory || !TrustedDirectories.IsBelow(library, directory),
            };
            target = load(settings);
            ClrInfo? info = target.ClrVersions.FirstOrDefault();
            if (info is null)
            {
                target.Dispose();
                return null;
            }

            LocatedDac located = DacLocator.Find(info, options);
            if (located.Path is null)
            {
                missing = located.Missing;
                target.Dispose();
                return null;
            }

            if (OperatingSystem.IsWindows())
            {
                // There the paths of a dump may lead to shares of other machines: images come from the runtime's own directory only.
                files.Directory = Path.GetDirectoryName(located.Path);
            }

            options.Gate?.Enter(located.Path);
            return new ClrTarget(target, info, info.CreateRuntime(located.Path, ignoreMismatch: true), located);
        }
        catch (OtherLibraryException)
        {
            target?.Dispose();
            throw;
        }
        catch (Exception error)
        {
            // ClrMD documents no set of exceptions for damaged dumps; the native half must survive all of them.
            target?.Dispose();
            options.Gate?.Fail();
            missing = MissingData.Of(MissingKind.ManagedHalf, subject: Reason(error));
            return null;
        }
    }

    /// <summary>Why reading failed, in words.</summary>
    internal static string Reason(Exception error) => error is OutOfMemoryException
        ? "it needs more memory than there is: a count in it is damaged, or --memory allows too little" : SafeText.Clean(FirstSentence(error.Message), 300);

    private static string FirstSentence(string message) => message.IndexOf(". ", StringComparison.Ordinal) is > 0 and var end ? message[..end] : message;

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_stacks.IsValueCreated)
        {
            _stacks.Value.Dispose();
        }

        Runtime.Dispose();
        Target.Dispose();
    }
}
