using System.Collections.Frozen;
using Dump.Model.Process;
using Dump.Readers.Windows.Waits;

namespace Dump.Readers.Windows.Runtimes;

/// <summary>
/// Recognises on a stack that a thread runs the code with which an image's C runtime starts or ends it, rather than any function of that image.
/// </summary>
internal static class StartCode
{
    // Functions of ntdll under which the loader tells an image that it has been loaded or is about to be unloaded; the first is named only with symbols.
    private static readonly FrozenSet<string> s_loading = FrozenSet.Create("LdrpCallInitRoutine", "LdrLoadDll", "LdrUnloadDll", "LdrInitializeThunk",
        "LdrShutdownProcess");

    // Under these the same code is told of threads, for which it takes no startup lock.
    private static readonly FrozenSet<string> s_threads = FrozenSet.Create("LdrShutdownThread", "LdrpInitializeThread");

    // vcruntime's exe_main.cpp and exe_common.inl: the first jumps to the second in optimised code, so that either may be on the stack.
    private static readonly string[] s_program = ["mainCRTStartup", "wmainCRTStartup", "WinMainCRTStartup", "wWinMainCRTStartup", "__scrt_common_main_seh"];

    /// <summary>
    /// Index of the image's outermost frame inside of its start code: the program's entry by symbols, or the frame that the loader called; null when none is
    /// seen. A guessed frame, or one behind a guessed frame, shows nothing.
    /// </summary>
    /// <param name="process">The process.</param>
    /// <param name="thread">The thread whose stack is searched.</param>
    /// <param name="module">The image.</param>
    public static int? FrameOn(WindowsProcess process, WindowsThread thread, ModuleSnapshot module)
    {
        StackFrame[] sure = [.. thread.Frames.TakeWhile(f => f.Trust > FrameTrust.Scan)];
        for (int i = 0; i < sure.Length; i++)
        {
            if (LiesIn(module, sure[i], i) && (IsProgramEntry(process, sure[i]) || IsCalledByLoader(sure.Skip(i + 1))))
            {
                return i;
            }
        }

        return null;
    }

    /// <summary>True for a frame in the image; a return address may stand behind the image's last instruction.</summary>
    /// <param name="module">The image.</param>
    /// <param name="frame">The frame.</param>
    /// <param name="index">Its index on its stack.</param>
    public static bool LiesIn(ModuleSnapshot module, StackFrame frame, int index) => module.Contains(frame.InstructionPointer - (index == 0 ? 0UL : 1UL));

    private static bool IsProgramEntry(WindowsProcess process, StackFrame frame) => s_program.Any(name => StartupLocks.Is(process, frame, name));

    /// <summary>The unbroken run of ntdll's frames: code of others in between may be something else that the image asked the loader for.</summary>
    private static bool IsCalledByLoader(IEnumerable<StackFrame> outer)
    {
        string[] run = [.. outer.TakeWhile(f => f.ModuleStem == "ntdll").Select(f => f.Function ?? "")];
        return run.Any(s_loading.Contains) && !run.Any(s_threads.Contains);
    }
}
