using System.Collections.Immutable;
using System.Globalization;
using System.Runtime.InteropServices;
using Dump.Model.Text;

namespace Dump.Capture.Shim;

/// <summary>
/// Asks DbgShim which .NET runtimes run in a living process (EnumerateCLRs, CreateVersionStringFromModule; dotnet/diagnostics, src/dbgshim/dbgshim.h). The
/// process is not stopped, and no debugger is attached to it. The library's code runs in this process: the caller has made sure that it may.
/// </summary>
public static unsafe class DbgShim
{
    private const uint MostRuntimes = 64;
    private const int LongestPath = 32_768;
    private const int LongestVersion = 512;

    /// <summary>Asks it.</summary>
    /// <param name="library">Full path of the library.</param>
    /// <param name="process">Process id.</param>
    public static ShimAnswer Ask(string library, int process)
    {
        nint handle;
        try
        {
            handle = NativeLibrary.Load(library);
        }
        catch (Exception error) when (error is DllNotFoundException or BadImageFormatException)
        {
            return new ShimAnswer([], $"it cannot be loaded: {SafeText.Clean(error.Message.Split('\n')[0], 300)}");
        }

        if (!NativeLibrary.TryGetExport(handle, "EnumerateCLRs", out nint enumerate)
            || !NativeLibrary.TryGetExport(handle, "CloseCLREnumeration", out nint close)
            || !NativeLibrary.TryGetExport(handle, "CreateVersionStringFromModule", out nint version))
        {
            return new ShimAnswer([], "it lacks EnumerateCLRs, CloseCLREnumeration or CreateVersionStringFromModule");
        }

        nint* handles = null;
        char** names = null;
        uint count = 0;
        int result = ((delegate* unmanaged<uint, nint**, char***, uint*, int>)enumerate)((uint)process, &handles, &names, &count);
        if (result < 0)
        {
            return new ShimAnswer([], string.Create(CultureInfo.InvariantCulture, $"EnumerateCLRs failed with 0x{result:x8}"));
        }

        try
        {
            ImmutableArray<ShimRuntime>.Builder runtimes = ImmutableArray.CreateBuilder<ShimRuntime>();
            for (uint i = 0; i < Math.Min(count, MostRuntimes) && names is not null; i++)
            {
                runtimes.Add(new ShimRuntime(SafeText.Clean(Text(names[i], LongestPath)), VersionOf(version, process, names[i])));
            }

            return new ShimAnswer(runtimes.ToImmutable(), null);
        }
        finally
        {
            if (names is not null)
            {
                _ = ((delegate* unmanaged<nint*, char**, uint, int>)close)(handles, names, count);
            }
        }
    }

    private static string? VersionOf(nint function, int process, char* module)
    {
        char[] text = new char[LongestVersion];
        uint length = 0;
        fixed (char* into = text)
        {
            return ((delegate* unmanaged<uint, char*, char*, uint, uint*, int>)function)((uint)process, module, into, (uint)text.Length, &length) >= 0
                ? SafeText.Clean(Text(into, text.Length)) : null;
        }
    }

    /// <summary>A text of 16-bit characters up to its zero, on Linux too.</summary>
    private static string Text(char* text, int most)
    {
        int length = 0;
        while (length < most && text[length] != 0)
        {
            length++;
        }

        return new string(text, 0, length);
    }
}

/// <summary>What DbgShim answers of a process.</summary>
/// <param name="Runtimes">The runtimes that it lists; empty when it fails.</param>
/// <param name="Failure">Why it did not answer, as a clause; null when it did.</param>
public sealed record ShimAnswer(ImmutableArray<ShimRuntime> Runtimes, string? Failure);

/// <summary>A .NET runtime in a living process, as DbgShim lists it.</summary>
/// <param name="Module">Path of its library, or of the program that it lies in (sanitised).</param>
/// <param name="VersionText">What CreateVersionStringFromModule makes of it (sanitised), or null where that fails.</param>
public sealed record ShimRuntime(string Module, string? VersionText)
{
    /// <summary>File name of the module.</summary>
    public string FileName => Module[(Module.LastIndexOfAny(['/', '\\']) + 1)..];
}
