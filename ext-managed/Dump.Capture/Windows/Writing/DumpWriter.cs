using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Text;
using Dump.Capture.Windows.Calls;
using Microsoft.Win32.SafeHandles;
using Layout = Dump.Capture.Windows.Writing.MinidumpCallbackLayout;

namespace Dump.Capture.Windows.Writing;

/// <summary>MiniDumpWriteDump of the system, or of a library that the user names.</summary>
[SupportedOSPlatform("windows")]
internal static unsafe class DumpWriter
{
    private const string Function = "MiniDumpWriteDump";

    // LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR (libloaderapi.h): the library's own directory first.
    private const uint SearchOwn = 0x100 | Kernel32.SearchSystem;

    // dbgcore.dll has it since Windows 8.1, where dbghelp.dll leads there.
    private static readonly string[] s_systemLibraries = ["dbgcore.dll", "dbghelp.dll"];

    /// <summary>Writes a dump.</summary>
    /// <param name="process">The opened process, or what PssCaptureSnapshot made of it.</param>
    /// <param name="isClone">True for the latter.</param>
    /// <param name="request">What to write.</param>
    /// <param name="library">Full path of the library to take; null for the system's.</param>
    public static WriteAnswer Write(nint process, bool isClone, DumpRequest request, string? library)
    {
        if (!TryFind(library, out nint function, out int error))
        {
            return library is null ? WriteAnswer.NotAvailable : new WriteAnswer(true, error);
        }

        // Is it a clone; is the writing to end.
        int* state = stackalloc int[2] { isClone ? 1 : 0, 0 };
        nint place = (nint)state;
        using CancellationTokenRegistration registration = request.Cancellation.Register(() => Volatile.Write(ref ((int*)place)[1], 1));
        byte* callback = stackalloc byte[Layout.InformationSize];
        *(nint*)callback = (nint)(delegate* unmanaged<nint, byte*, byte*, int>)&Answer;
        *(nint*)(callback + Layout.InformationParameter) = place;
        byte[] comment = Encoding.Unicode.GetBytes(request.Comment + "\0");
        fixed (byte* text = comment)
        {
            byte* stream = stackalloc byte[Layout.StreamSize];
            *(uint*)stream = Layout.CommentStream;
            *(int*)(stream + Layout.StreamBytes) = comment.Length;
            Unsafe.WriteUnaligned(stream + Layout.StreamAddress, (nint)text);
            byte* streams = stackalloc byte[Layout.StreamsSize];
            *(uint*)streams = 1;
            Unsafe.WriteUnaligned(streams + Layout.StreamsAddress, (nint)stream);
            return Call((delegate* unmanaged<nint, uint, nint, uint, nint, byte*, byte*, int>)function, process, request, streams, callback);
        }
    }

    private static WriteAnswer Call(
        delegate* unmanaged<nint, uint, nint, uint, nint, byte*, byte*, int> write, nint process, DumpRequest request, byte* streams, byte* callback)
    {
        // Whoever does not wait any more for a writer that hangs closes the file; its number is not to be another's while the writer has it.
        bool isHeld = false;
        request.File.DangerousAddRef(ref isHeld);
        try
        {
            Marshal.SetLastSystemError(0);
            bool isWritten = write(process, (uint)request.Process, request.File.DangerousGetHandle(), (uint)request.Content, 0, streams, callback) != 0;
            int error = Marshal.GetLastSystemError();
            return isWritten ? WriteAnswer.Written : new WriteAnswer(true, error != 0 ? error : -1);
        }
        finally
        {
            request.File.DangerousRelease();
        }
    }

    private static bool TryFind(string? library, out nint function, out int error)
    {
        function = 0;
        error = 0;
        foreach (string path in library is null ? s_systemLibraries : [library])
        {
            nint module = Kernel32.LoadLibrary(path, 0, library is null ? Kernel32.SearchSystem : SearchOwn);
            error = module == 0 ? Marshal.GetLastPInvokeError() : 0;
            if (module != 0 && NativeLibrary.TryGetExport(module, Function, out function))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>MINIDUMP_CALLBACK_ROUTINE.</summary>
    [UnmanagedCallersOnly]
    private static int Answer(nint parameter, byte* input, byte* output)
    {
        int* state = (int*)parameter;
        switch (*(uint*)(input + Layout.CallbackType))
        {
            case Layout.Memory or Layout.RemoveMemory:
                return 0;
            case Layout.Cancel:
                *(int*)(output + Layout.CheckCancel) = 1;
                *(int*)(output + Layout.Cancelled) = Volatile.Read(ref state[1]);
                return 1;
            case Layout.IsProcessSnapshot:
                *(int*)(output + Layout.Status) = state[0];
                return 1;
            default:
                return 1;
        }
    }
}

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

/// <summary>A dump that is to be written.</summary>
/// <param name="Process">Process id.</param>
/// <param name="File">The open file.</param>
/// <param name="Content">What it holds.</param>
/// <param name="Comment">Its comment stream.</param>
/// <param name="Cancellation">Ends the writing early.</param>
internal sealed record DumpRequest(int Process, SafeFileHandle File, DumpContent Content, string Comment, CancellationToken Cancellation);

/// <summary>How writing a dump ended.</summary>
/// <param name="IsAvailable">False where the system has no such function.</param>
/// <param name="Error">The error (winerror.h, also as HRESULT); 0 when the dump is written.</param>
internal readonly record struct WriteAnswer(bool IsAvailable, int Error)
{
    /// <summary>The system has no such function.</summary>
    public static WriteAnswer NotAvailable { get; } = new(false, 0);

    /// <summary>The dump is written.</summary>
    public static WriteAnswer Written { get; } = new(true, 0);

    /// <summary>True when the dump is written.</summary>
    public bool IsWritten => IsAvailable && Error == 0;
}
