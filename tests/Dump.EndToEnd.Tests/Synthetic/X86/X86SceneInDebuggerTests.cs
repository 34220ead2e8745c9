using System.Globalization;
using System.Text.RegularExpressions;
using Dump.EndToEnd.Tests.Unwinding;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Model.Process;
using Dump.Testing.Synthetic.X86;

namespace Dump.EndToEnd.Tests.Synthetic.X86;

/// <summary>
/// The 32-bit and WoW64 scenes are proper dumps to the debugger engine too: it finds the system, the threads, the modules and, as far as frame pointers lead
/// it, the frames that we find.
/// </summary>
public sealed partial class X86SceneInDebuggerTests
{
    [SkippableFact]
    public void Frames_of_the_debugger_are_among_ours_in_a_32_bit_dump()
    {
        X86Scene scene = Scene();
        using SyntheticFile file = new(scene.Process.ToX86());
        string printed = file.Debugger("version", "lm", "~*kn 100");
        Assert.Contains("Windows 10 Version 19045", printed, StringComparison.Ordinal);
        Assert.Contains("x86 compatible", printed, StringComparison.Ordinal);
        Assert.All(scene.Process.Images, i => Assert.Contains($"{i.BaseAddress:x8} {i.BaseAddress + (uint)i.Size:x8}", printed, StringComparison.Ordinal));
        Dictionary<uint, List<ulong>> stacks = ReturnAddresses(printed);
        ProcessSnapshot snapshot = SyntheticAnalysis.Read(scene.Process.ToX86());
        Assert.Equal(snapshot.Threads.Select(t => t.Id).Order(), stacks.Keys.Order());
        foreach (ThreadSnapshot thread in snapshot.Threads)
        {
            // Without symbols the engine passes over the caller of a stub, which has no frame of its own.
            ulong[] ours = [.. thread.Stack.Frames.Skip(1).Select(f => f.InstructionPointer)];
            Assert.True(stacks[thread.Id].Count >= 2, $"the debugger finds {stacks[thread.Id].Count} frames");
            Assert.Equal(stacks[thread.Id], ours.Where(stacks[thread.Id].Contains));
        }
    }

    [SkippableFact]
    public void The_64_bit_side_is_that_of_the_debugger_in_a_64_bit_dump()
    {
        X86Scene scene = Scene();
        using SyntheticFile file = new(scene.Process.ToWow64());
        Dictionary<uint, List<(ulong StackPointer, ulong ReturnAddress)>> stacks = DebuggerStacks.Parse(file.Debugger("~*kn 100"));
        ProcessSnapshot snapshot = SyntheticAnalysis.Read(scene.Process.ToWow64());
        Assert.Equal(snapshot.Threads.Select(t => t.Id).Order(), stacks.Keys.Order());
        Assert.All(snapshot.Threads, t => Assert.Equal(
            stacks[t.Id].Select(f => f.StackPointer), t.EmulationStack!.Frames.Select(f => f.StackPointer)));
    }

    private static X86Scene Scene()
    {
        X86Scene scene = new(loaderLockOwner: 0x20);
        scene.Loading(0x20, 0x24);
        scene.Entering(0x28, scene.Section(0, 0x2C, 1));
        scene.Sleeping(0x2C);
        return scene;
    }

    /// <summary>Return addresses of a 32-bit <c>~*kn</c> by thread id, without the zero that ends a stack.</summary>
    private static Dictionary<uint, List<ulong>> ReturnAddresses(string printed)
    {
        Dictionary<uint, List<ulong>> stacks = [];
        List<ulong>? current = null;
        foreach (string line in printed.Split('\n'))
        {
            if (Thread().Match(line) is { Success: true } thread)
            {
                stacks.Add((uint)Number(thread), current = []);
            }
            else if (Frame().Match(line) is { Success: true } frame && Number(frame) != 0)
            {
                current!.Add(Number(frame));
            }
        }

        return stacks;
    }

    private static ulong Number(Match match) => ulong.Parse(match.Groups[1].ValueSpan, NumberStyles.HexNumber, CultureInfo.InvariantCulture);

    [GeneratedRegex(@"Id: [0-9a-f]+\.([0-9a-f]+) Suspend")]
    private static partial Regex Thread();

    [GeneratedRegex(@"^[0-9a-f]{2,} [0-9a-f]{8} ([0-9a-f]{8}) ")]
    private static partial Regex Frame();
}
