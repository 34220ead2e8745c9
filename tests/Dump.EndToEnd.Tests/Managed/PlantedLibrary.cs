using System.Buffers.Binary;
using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;
using Dump.Testing;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary>Builds <c>samples/native/planted</c>: a library that leaves a file beside itself when a program loads it.</summary>
internal static class PlantedLibrary
{
    private const int NewHeaderOffset = 0x3C;
    private const int TimeDateStampOffset = 8;
    private const int SizeOfImageOffset = 24 + 56;

    /// <summary>The trace of a library.</summary>
    public static string TraceOf(string library) => library + ".loaded";

    /// <summary>Replaces a Linux library.</summary>
    /// <returns>Why that cannot be done here, or null.</returns>
    public static string? ReplaceLinux(string library)
    {
        File.Delete(library);
        return Compile("gcc", "-D_GNU_SOURCE", "-shared", "-fPIC", "-o", library, "-ldl");
    }

    /// <summary>Builds <c>mapping.c</c>: a library that maps a file into a program which is started with it.</summary>
    /// <returns>Why that cannot be done here, or null.</returns>
    public static string? BuildMapping(string library) => CompileSource("mapping.c", "gcc", "-shared", "-fPIC", "-o", library);

    /// <summary>Replaces a Windows library by one of the same time stamp and size: to whoever only looks for these, it is the one that was there.</summary>
    /// <returns>Why that cannot be done here, or null.</returns>
    public static string? ReplaceWindows(string library)
    {
        byte[] original = File.ReadAllBytes(library);
        File.Delete(library);
        string? unavailable = CompileWindows(library, 1);
        if (unavailable is not null)
        {
            return unavailable;
        }

        uint missing = SizeOfImage(original) - SizeOfImage(File.ReadAllBytes(library));
        unavailable = CompileWindows(library, missing + 1);
        byte[] planted = File.ReadAllBytes(library);
        original.AsSpan(NewHeader(original) + TimeDateStampOffset, sizeof(uint)).CopyTo(planted.AsSpan(NewHeader(planted) + TimeDateStampOffset));
        File.WriteAllBytes(library, planted);
        Assert.Equal(SizeOfImage(original), SizeOfImage(planted));
        return unavailable;
    }

    private static string? CompileWindows(string library, uint filler) =>
        Compile("x86_64-w64-mingw32-gcc", string.Create(CultureInfo.InvariantCulture, $"-DFILLER={filler}"), "-s", "-shared", "-o", library);

    private static int NewHeader(byte[] image) => BinaryPrimitives.ReadInt32LittleEndian(image.AsSpan(NewHeaderOffset));

    private static uint SizeOfImage(byte[] image) => BinaryPrimitives.ReadUInt32LittleEndian(image.AsSpan(NewHeader(image) + SizeOfImageOffset));

    private static string? Compile(string compiler, params string[] options) => CompileSource("planted.c", compiler, options);

    private static string? CompileSource(string source, string compiler, params string[] options)
    {
        try
        {
            using Process process = Process.Start(compiler, [Path.Combine(Repository.Root, "samples", "native", "planted", source), .. options]);
            process.WaitForExit();
            Assert.Equal(0, process.ExitCode);
            return null;
        }
        catch (Win32Exception)
        {
            return $"needs {compiler}";
        }
    }
}
