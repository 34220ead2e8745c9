using System.Collections.Frozen;

namespace Dump.Analysis.Knowledge;

/// <summary>
/// Modules that come with Windows, a runtime or a user-interface framework, wherever they are installed:
/// their frames carry a program's handler and are not to blame for it.
/// </summary>
internal static class FrameworkModules
{
    // Names as in the public stacks that MessagePumpFunctions cites; native images of .NET Framework end in ".ni".
    private static readonly FrozenSet<string> s_stems = new[]
    {
        "ntdll", "kernel32", "kernelbase", "win32u", "user32", "gdi32", "gdi32full", "combase", "ole32", "oleaut32", "rpcrt4", "uxtheme", "comctl32",
        "comdlg32", "shell32", "msctf", "advapi32", "ws2_32", "mswsock", "wow64", "wow64win", "wow64cpu", "imm32", "duser", "dui70", "ucrtbase", "ucrtbased",
        "msvcrt", "vcruntime140", "vcruntime140_1", "vcruntime140d", "msvcp140", "msvcp140d", "coreclr", "clr", "mscorwks", "clrjit", "mscoree", "mscoreei",
        "hostfxr", "hostpolicy", "system.private.corelib", "mscorlib", "system", "system.core", "system.xaml", "windowsbase", "presentationcore",
        "presentationframework", "presentationnative_cor3", "presentationnative_v0400", "wpfgfx_cor3", "wpfgfx_v0400", "windowsformsintegration",
        "system.windows.forms", "system.windows.forms.primitives", "system.private.windows.core", "microsoft.win32.systemevents", "system.threading",
        "system.private.threading", "mfc140u", "mfc140", "mfc140ud", "mfc140d", "mfc120u", "mfc120", "mfc110u", "mfc110", "mfc100u", "mfc100", "coremessaging",
        "coremessagingxp", "microsoft.ui.xaml", "microsoft.ui", "microsoft.ui.input", "microsoft.inputstatemanager", "windows.ui.xaml", "windows.ui",
        "winrt.runtime", "microsoft.winui", "qt5core", "qt5cored", "qt5gui", "qt5guid", "qt5widgets", "qt5widgetsd", "qt6core", "qt6cored", "qt6gui", "qt6guid",
        "qt6widgets", "qt6widgetsd", "qwindows", "qwindowsd", "msvcp_win", "concrt140", "concrt140d", "msvcr100", "msvcp100", "msvcr110", "msvcp110",
        "msvcr120",
        "msvcp120", "libwinpthread-1", "libstdc++-6", "libgcc_s_seh-1", "libc++", "dotnet", "libcoreclr", "libclrjit", "libhostfxr", "libhostpolicy",
        "libsystem.native", "libc", "libc.so", "libpthread.so", "libstdc++.so", "libgcc_s.so", "ld-linux-x86-64.so",

        // Direct3D and what draws for a program: drivers of graphics processors run in its process (Intel, NVIDIA, AMD; microsoft/terminal #13386 and other
        // published stacks).
        "d3d9", "d3d10", "d3d10core", "d3d11", "d3d12", "d3d12core", "dxgi", "dxcore", "dcomp", "d2d1", "dwrite", "opengl32", "igd10iumd64", "igd10um64gen11",
        "igd12umd64", "igd12dxva64", "igdumdim64", "ig9icd64", "igxelpicd64", "igc64", "nvwgf2umx", "nvwgf2umx_cfg", "nvldumdx", "nvd3dumx", "nvoglv64",
        "atidxx64", "amdxx64", "amdxc64", "amdxn64", "atio6axx", "aticfx64",
    }.ToFrozenSet(StringComparer.Ordinal);

    // The assemblies of .NET and ASP.NET Core begin with these.
    private static readonly string[] s_prefixes = ["system.", "microsoft.extensions.", "microsoft.aspnetcore.", "microsoft.win32."];

    // Chromium is part of the program's own file: the frames between its loop and a task (electron/electron #23282, #12675), and those of the loop itself.
    private static readonly FrozenSet<string> s_chromium = new[]
    {
        "base::TaskAnnotator::RunTask", "base::TaskAnnotator::RunTaskImpl", "base::sequence_manager::internal::ThreadControllerWithMessagePumpImpl::DoWorkImpl",
        "base::sequence_manager::internal::ThreadControllerWithMessagePumpImpl::DoWork",
        "base::sequence_manager::internal::ThreadControllerWithMessagePumpImpl::DoSomeWork",
        "base::sequence_manager::internal::ThreadControllerWithMessagePumpImpl::Run", "base::MessagePumpForUI::WaitForWork",
        "base::MessagePumpForUI::ProcessMessageHelper", "base::MessagePumpForUI::ProcessNextWindowsMessage", "base::MessagePumpForUI::DoRunLoop",
        "base::MessagePumpWin::Run", "base::RunLoop::Run",
    }.ToFrozenSet(StringComparer.Ordinal);

    /// <summary>True for a function of Chromium's message loop, whatever the program is called that it is part of.</summary>
    public static bool IsChromiumLoop(string? function) => function is not null && s_chromium.Contains(function);

    /// <summary>True for the runtime of .NET, .NET Framework, or .NET Framework before version 4.</summary>
    /// <param name="stem">Lower-case module name without extension, or null.</param>
    public static bool IsRuntime(string? stem) => stem is "coreclr" or "clr" or "mscorwks";

    /// <summary>True for such a module.</summary>
    /// <param name="stem">Lower-case module name without extension.</param>
    public static bool Contains(string stem) =>
        s_stems.Contains(stem.EndsWith(".ni", StringComparison.Ordinal) ? stem[..^3] : stem)
            || s_prefixes.Any(prefix => stem.StartsWith(prefix, StringComparison.Ordinal));
}
