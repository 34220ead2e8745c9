using System.Buffers.Binary;
using System.Runtime.InteropServices;
using Dump.Model.Text;
using Dump.Readers.Files;

namespace Dump.Clr.Runtimes;

/// <summary>
/// Where DbgShim is, the library that lists the .NET runtimes of a living process: the file that the user names, else beside an installed runtime (those of
/// .NET Core 3.1 to .NET 6 have it). Never a path that only a process or a dump names, as for data-access libraries.
/// </summary>
public static class DebuggingShims
{
    /// <summary>File name of the library here.</summary>
    public static string FileName => OperatingSystem.IsWindows() ? "dbgshim.dll" : "libdbgshim.so";

    /// <summary>Looks for it; nothing is loaded.</summary>
    /// <param name="named">The file that the user names, who vouches for it; or null.</param>
    /// <param name="distrust">Why a file that nobody names is not to be loaded, as a clause, or null to load it: asked of the first ones that fit.</param>
    public static LocatedShim Find(string? named, Func<string, string?> distrust) => Find(named, TrustedDirectories.List(null), distrust);

    /// <summary>The same among directories.</summary>
    internal static LocatedShim Find(string? named, IEnumerable<string> directories, Func<string, string?> distrust)
    {
        if (named is not null)
        {
            return ProblemOf(named) is { } wrong ? new LocatedShim(null, wrong)
                : CodeFile.Open(Path.GetFullPath(named), out string? refusal) is { } library ? new LocatedShim(library.Path, "named") { LoadPath = library.LoadPath }
                : new LocatedShim(null, NotLoaded(named, refusal));
        }

        string? passedBy = null;
        foreach (string file in directories.Select(d => Path.Combine(d, FileName)).Where(File.Exists))
        {
            string? refusal = null;
            string? problem = ProblemOf(file) ?? (distrust(file) is { } reason ? NotLoaded(file, reason) : null);
            if (problem is null && CodeFile.Open(file, out refusal) is { } library)
            {
                return new LocatedShim(library.Path, "beside an installed runtime") { LoadPath = library.LoadPath };
            }

            problem ??= NotLoaded(file, refusal);

            passedBy ??= problem;
        }

        return new LocatedShim(null, passedBy ?? $"no {FileName} beside the installed runtimes (.NET 7 and later have none); --dbgshim FILE names one");
    }

    private static string NotLoaded(string file, string? reason) => $"{SafeText.Clean(file)} is not loaded: {reason ?? "it cannot be read"}";

    /// <summary>Why a file is no such library for this machine, or null.</summary>
    private static string? ProblemOf(string path)
    {
        string name = SafeText.Clean(path);
        try
        {
            using FileStream file = RegularFile.OpenRead(path);
            byte[] head = new byte[LibraryHeaderLayout.Read];
            int read = file.ReadAtLeast(head, head.Length, throwOnEndOfStream: false);
            return !OperatingSystem.IsWindows() ? ProblemOfElf(name, head.AsSpan(0, read)) : ProblemOfImage(name, head.AsSpan(0, read));
        }
        catch (Exception error) when (error is FileNotFoundException or DirectoryNotFoundException)
        {
            return $"{name} does not exist";
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return $"{name} cannot be read: {SafeText.Clean(error.Message)}";
        }
    }

    private static string? ProblemOfElf(string name, ReadOnlySpan<byte> head) =>
        head.Length < LibraryHeaderLayout.ElfMachine + sizeof(ushort) || !head.StartsWith("\u007fELF"u8) ? $"{name} is no library of Linux"
        : Fits(BinaryPrimitives.ReadUInt16LittleEndian(head[LibraryHeaderLayout.ElfMachine..]), LibraryHeaderLayout.ElfX64, LibraryHeaderLayout.ElfArm64)
            ? null : WrongProcessor(name);

    private static string? ProblemOfImage(string name, ReadOnlySpan<byte> head)
    {
        int start = head.Length == LibraryHeaderLayout.Read && head.StartsWith("MZ"u8) ? BinaryPrimitives.ReadInt32LittleEndian(
            head[LibraryHeaderLayout.ImageStart..]) : 0;
        return start <= 0 || start > head.Length - LibraryHeaderLayout.ImageMachine - sizeof(ushort) || !head[start..].StartsWith("PE\0\0"u8)
            ? $"{name} is no library of Windows"
            : Fits(BinaryPrimitives.ReadUInt16LittleEndian(head[(start + LibraryHeaderLayout.ImageMachine)..]), LibraryHeaderLayout.ImageX64,
                LibraryHeaderLayout.ImageArm64) ? null : WrongProcessor(name);
    }

    private static bool Fits(ushort machine, ushort x64, ushort arm64) =>
        machine == (RuntimeInformation.ProcessArchitecture == Architecture.Arm64 ? arm64 : x64);

    private static string WrongProcessor(string name) =>
        $"{name} is for another processor; this program needs one for {RuntimeInformation.ProcessArchitecture.ToString().ToLowerInvariant()}";
}

/// <summary>What tells the processor that a library is for: elf.h (Elf64_Ehdr) and winnt.h (IMAGE_DOS_HEADER, IMAGE_FILE_HEADER).</summary>
internal static class LibraryHeaderLayout
{
    /// <summary>Bytes of a file that are looked at.</summary>
    public const int Read = 4_096;

    /// <summary>e_machine.</summary>
    public const int ElfMachine = 18;

    /// <summary>EM_X86_64.</summary>
    public const ushort ElfX64 = 62;

    /// <summary>EM_AARCH64.</summary>
    public const ushort ElfArm64 = 183;

    /// <summary>e_lfanew.</summary>
    public const int ImageStart = 0x3C;

    /// <summary>Machine, behind the signature.</summary>
    public const int ImageMachine = 4;

    /// <summary>IMAGE_FILE_MACHINE_AMD64.</summary>
    public const ushort ImageX64 = 0x8664;

    /// <summary>IMAGE_FILE_MACHINE_ARM64.</summary>
    public const ushort ImageArm64 = 0xAA64;
}

/// <summary>Result of looking for DbgShim.</summary>
/// <param name="Path">Full path of the library, or null when there is none that may be loaded.</param>
/// <param name="Words">Where it was found, or why not, as a clause.</param>
public sealed record LocatedShim(string? Path, string Words)
{
    /// <summary>The path to load it by (<see cref="CodeFile.LoadPath"/>); null where <see cref="Path"/> is.</summary>
    public string? LoadPath { get; init; }
}
