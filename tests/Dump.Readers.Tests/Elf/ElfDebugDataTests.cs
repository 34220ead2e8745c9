using System.ComponentModel;
using System.Diagnostics;
using Dump.Readers.Elf;
using Dump.Readers.Minidump;
using Dump.Readers.Unwinding.Dwarf;
using Dump.Testing;

namespace Dump.Readers.Tests.Elf;

/// <summary>What files have for debuggers beside symbols: the packed small symbol table, and call-frame information that is not loaded.</summary>
public sealed class ElfDebugDataTests : IDisposable
{
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(5);
    private readonly string _directory = Directory.CreateTempSubdirectory("dump-debug-data-").FullName;

    /// <summary>As Fedora makes it: a file with the symbols alone, packed by xz, put into the stripped program.</summary>
    [SkippableFact]
    public void Packed_symbols_are_those_that_were_stripped()
    {
        string program = Compile("-O2", "-g"), symbols = Path.Combine(_directory, "symbols"), stripped = Path.Combine(_directory, "stripped");
        Run("objcopy", "-S", "--remove-section", ".gdb_index", "--remove-section", ".comment", "--keep-symbols", Names(program), program, symbols);
        Run("xz", "-k", symbols);
        Run("objcopy", "--add-section", $".gnu_debugdata={symbols}.xz", "--strip-all", program, stripped);
        using FileBytes file = FileBytes.Open(stripped);
        using FileBytes? packed = MiniDebugFile.Of(file);
        Assert.NotNull(packed);
        byte[] bytes = new byte[packed.Length];
        packed.Read(0, bytes);
        Assert.Equal(File.ReadAllBytes(symbols), bytes);

        // What it takes from the budget is what it has unpacked to, not the most that its packed size could.
        long most = 100 * new FileInfo(symbols + ".xz").Length, times = (160L << 20) / most;
        WorkBudget.Begin();
        for (long i = 0; i <= times; i++)
        {
            using FileBytes? again = MiniDebugFile.Of(file);
            Assert.NotNull(again);
        }

        Assert.Null(WorkBudget.Problem);
    }

    [SkippableFact]
    public void Program_without_packed_symbols_has_none()
    {
        using FileBytes file = FileBytes.Open(Compile("-O2"));
        Assert.Null(MiniDebugFile.Of(file));
    }

    /// <summary>Code without tables for exceptions: each of its functions is described for debuggers, with the addresses of the process.</summary>
    [SkippableFact]
    public void Frames_for_debuggers_describe_the_functions()
    {
        const ulong Bias = 0x5555_0000_0000;
        DebugFrames frames = DebugFrames.Read(Section(), Bias, DwarfRegisters.X64);
        Assert.True(frames.Count > 10);
        FrameDescription first = Enumerable.Range(0, 0x10_000).Select(i => frames.Find(Bias + 0x1000 + (ulong)i)).First(f => f is not null)!;
        Assert.InRange(first.Begin, Bias, Bias + 0x10_0000);
        Assert.Null(frames.Find(first.Begin - Bias));
        FrameState state = FrameInstructions.At(first, first.Begin)!.Value;

        // Where a function begins the frame is 8 bytes above the stack pointer, and the return address below that.
        Assert.Equal((DwarfRegisters.X64.StackPointer, 8L, -8L), (state.Base, state.Distance, state.Rules[DwarfRegisters.X64.ReturnAddress].Number));
    }

    [SkippableFact]
    public void Damaged_frames_for_debuggers_are_other_ones_or_none()
    {
        byte[] section = Section();
        Random random = new(19);
        for (int i = 0; i < 5_000; i++)
        {
            byte[] damaged = [.. section];
            for (int changes = random.Next(1, 6); changes > 0; changes--)
            {
                damaged[random.Next(damaged.Length)] = (byte)random.Next(256);
            }

            DebugFrames frames = DebugFrames.Read(damaged, 0, DwarfRegisters.X64);
            for (ulong at = 0x1000; at < 0x3000; at += 61)
            {
                if (frames.Find(at) is { } found)
                {
                    Assert.InRange(at, found.Begin, found.End);
                    _ = FrameInstructions.At(found, at);
                }
            }
        }
    }

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    private byte[] Section()
    {
        using FileBytes file = FileBytes.Open(Compile("-O2", "-g", "-fno-asynchronous-unwind-tables", "-fno-unwind-tables"));
        return ElfDebugSection.Read(file, ".debug_frame")!;
    }

    private string Names(string program)
    {
        string list = Path.Combine(_directory, "names");
        File.WriteAllLines(list, Run("nm", "--defined-only", "--format=posix", program).Split('\n').Where(l => l.Contains(" t ", StringComparison.Ordinal))
            .Select(l => l.Split(' ')[0]));
        return list;
    }

    private string Compile(params string[] options)
    {
        string target = Path.Combine(_directory, "program");
        Run("gcc", [.. options, Path.Combine(Repository.Root, "samples", "linux", "musl-hang.c"), "-o", target, "-pthread"]);
        return target;
    }

    private static string Run(string program, params string[] arguments)
    {
        try
        {
            using Process process = Process.Start(new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true })!;
            string output = process.StandardOutput.ReadToEnd();
            Assert.True(process.WaitForExit(s_limit) && process.ExitCode == 0, program);
            return output;
        }
        catch (Win32Exception)
        {
            Skip.If(true, $"needs {program}");
            return "";
        }
    }
}
