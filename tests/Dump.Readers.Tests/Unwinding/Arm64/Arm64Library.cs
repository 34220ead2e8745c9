using System.Globalization;
using System.Text.RegularExpressions;
using Dump.Readers.Pe;
using Dump.Readers.Tests.Symbols;

namespace Dump.Readers.Tests.Unwinding.Arm64;

/// <summary>A real ARM64 library for Windows, compiled and linked by LLVM from a test's source, as it lies in memory.</summary>
internal sealed partial class Arm64Library : IMemory, IDisposable
{
    private readonly TemporaryDirectory _directory = new();
    private readonly LibraryOnDisk _library;

    private Arm64Library(string extension, string source, string compiler, string arguments)
    {
        File.WriteAllText(Path.Combine(_directory.Path, "a" + extension), source);
        ExternalTool.Run(_directory.Path, compiler, $"{arguments} a{extension} -o a.o");
        ExternalTool.Run(_directory.Path, "lld-link", "/dll /noentry /machine:arm64 /force:unresolved /out:a.dll a.o");
        _library = new LibraryOnDisk(_directory.Path, "a.dll");
    }

    public PeImages Images => _library.Images;

    /// <summary>Functions that have unwind information, as LLVM prints them: relative address, name, and whether it is packed.</summary>
    public IReadOnlyList<(uint Begin, uint Length, string Name, bool IsPacked)> Functions
    {
        get
        {
            string printed = ExternalTool.Run(_directory.Path, "llvm-readobj", "--unwind a.o");
            return [.. Function().Matches(printed).Select(m => (
                TextRva + uint.Parse(m.Groups["at"].ValueSpan, NumberStyles.HexNumber, CultureInfo.InvariantCulture),
                uint.Parse(m.Groups["length"].ValueSpan, CultureInfo.InvariantCulture),
                m.Groups["name"].Value,
                m.Groups["packed"].Success))];
        }
    }

    private uint TextRva => _library.Image.Sections.Single(s => s.IsExecutable).VirtualAddress;

    /// <summary>Compiles C.</summary>
    public static Arm64Library Compile(string source, string options)
    {
        ExternalTool.Require("clang", "lld-link", "llvm-readobj");
        return new Arm64Library(".c", source, "clang", $"--target=aarch64-pc-windows-msvc -c {options}");
    }

    /// <summary>Assembles.</summary>
    public static Arm64Library Assemble(string source)
    {
        ExternalTool.Require("llvm-mc", "lld-link", "llvm-readobj");
        return new Arm64Library(".s", source, "llvm-mc", "-triple aarch64-pc-windows-msvc -filetype=obj");
    }

    /// <inheritdoc/>
    public int Read(ulong address, Span<byte> destination) =>
        _library.Find(address) is not null && _library.Image.ReadRva((uint)(address - LibraryOnDisk.Base), destination) ? destination.Length : 0;

    public void Dispose()
    {
        _library.Dispose();
        _directory.Dispose();
    }

    [GeneratedRegex(@"Function: (?<name>\w+) \(0x(?<at>[0-9A-F]+)\)\s+(ExceptionRecord:[^\n]*\s+ExceptionData \{|(?<packed>Fragment: No))\s+FunctionLength: (?<length>\d+)")]
    private static partial Regex Function();
}
