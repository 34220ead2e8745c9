using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;

namespace Dump.Benchmarks;

/// <summary>Makes sure that what is measured as compiled ahead of time really is.</summary>
internal static class ReadyToRunCheck
{
    /// <summary>Whether an assembly carries native code: its CLI header then names a managed native header (ECMA-335 II.25.3.3; ReadyToRun fills it).</summary>
    public static bool HasNativeCode(string assembly)
    {
        using PEReader reader = new(File.OpenRead(assembly));
        return reader.PEHeaders.CorHeader is { ManagedNativeHeaderDirectory.Size: > 0 };
    }

    /// <summary>Checks every assembly of a published program that has code at all: some only say where types have moved.</summary>
    /// <exception cref="InvalidOperationException">One is as wanted not; the message names it.</exception>
    public static void Require(string folder, bool expected)
    {
        foreach (string assembly in Directory.EnumerateFiles(folder, "*.dll"))
        {
            if (HasMethods(assembly) && HasNativeCode(assembly) != expected)
            {
                throw new InvalidOperationException($"{Path.GetFileName(assembly)} is {(expected ? "not " : "")}ReadyToRun.");
            }
        }
    }

    private static bool HasMethods(string assembly)
    {
        using PEReader reader = new(File.OpenRead(assembly));
        return reader.GetMetadataReader().MethodDefinitions.Count > 0;
    }
}
