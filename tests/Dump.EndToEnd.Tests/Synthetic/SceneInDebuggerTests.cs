using System.Globalization;
using System.Text.RegularExpressions;
using Dump.EndToEnd.Tests.Unwinding;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Model.Process;
using Dump.Readers.Minidump;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Synthetic;

/// <summary>
/// The scenes that verdict tests use are proper dumps to the debugger engine too: it finds the system, threads, frames, modules and handles that we find.
/// </summary>
public sealed partial class SceneInDebuggerTests
{
    public static TheoryData<string, string> Scenes => new()
    {
        { "load ownership", "Windows 10 Version 19045" },
        { "critical sections", "Windows 10 Version 19045" },
        { "critical sections of Windows 7", "Windows 7 Version 7601" },
        { "critical sections on ARM64", "Windows 10 Version 26100" },
        { "join under the loader", "Windows 10 Version 19045" },
        { "kernel objects", "Windows 10 Version 19045" },
        { "COM calls", "Windows 10 Version 19045" },
        { "SRW candidates", "Windows 10 Version 19045" },
    };

    [SkippableTheory]
    [MemberData(nameof(Scenes))]
    public void Scene_is_the_same_to_the_debugger(string scene, string system)
    {
        using SyntheticFile file = new(Build(scene));
        string printed = file.Debugger("version", "lm", "~*kn 100", "handles");
        Assert.Contains(system, printed, StringComparison.Ordinal);
        using MinidumpFile dump = MinidumpFile.Open(file.FilePath);
        Assert.Equal(
            dump.ModuleList.Select(m => (m.BaseAddress, m.BaseAddress + m.Size)).Order(),
            Module().Matches(printed).Select(m => (Address(m.Groups[1]), Address(m.Groups[2]))).Order());
        Assert.Equal((dump.Handles ?? []).Select(DebuggerHandles.Line), DebuggerHandles.Lines(printed));
        ProcessSnapshot snapshot = SyntheticAnalysis.Read(Build(scene));
        Dictionary<uint, List<(ulong StackPointer, ulong ReturnAddress)>> stacks = DebuggerStacks.Parse(printed);
        Assert.Equal(snapshot.Threads.Select(t => t.Id).Order(), stacks.Keys.Order());
        Assert.All(snapshot.Threads, t => Assert.Equal(
            stacks[t.Id], t.Stack.Frames.Select((f, i) => (f.StackPointer, i + 1 < t.Stack.Frames.Length ? t.Stack.Frames[i + 1].InstructionPointer : 0UL))));
    }

    private static FakeProcess Build(string scene)
    {
        if (scene == "load ownership")
        {
            return new LoadOwnershipScene { HasTlsDirectory = true, Loading = ("mkl_intel_thread.2.dll", "") }.Build();
        }

        if (scene == "COM calls")
        {
            return ComScene.Chain().Process;
        }

        if (scene == "kernel objects")
        {
            return ObjectScene.Various().Process;
        }

        if (scene == "SRW candidates")
        {
            return SlimLockTests.Crossed().Process;
        }

        if (scene == "join under the loader")
        {
            LoaderScene loader = new(loaderLockOwner: 0x20);
            loader.WaitingInDllMain(0x20, 0x50, uint.MaxValue);
            loader.Ending(0x24);
            loader.Beginning(0x28);
            loader.Process.Handles!.AddRange([FakeHandle.Thread(0x50, 0x24), FakeHandle.Mutex(0x54, 0, false, 0x28) with { Name = @"\BaseNamedObjects\one" }]);
            return loader.Process;
        }

        CriticalSectionScene sections = scene.EndsWith("ARM64", StringComparison.Ordinal) ? new(isWindows7: false, (10, 0, 26100), isArm64: true)
            : new(isWindows7: scene.EndsWith('7'));
        sections.Waiter(0x20, sections.Section(0x24, 1), LockTrace.WaitWord);
        sections.Waiter(0x24, sections.Section(0x20, 1), scene.EndsWith("ARM64", StringComparison.Ordinal) ? LockTrace.Register : LockTrace.CallSite);
        sections.Sleeper(0x28);
        if (sections.Process.IsArm64)
        {
            FakeImage app = sections.Process.Images[0];
            sections.Waiter(0x2C, sections.Section(0x28, 1), LockTrace.Register,
                [app.Function("full", FakeArm64Prolog.Full), app.Function("keeping", FakeArm64Prolog.Keeping),
                    app.Function("full again", FakeArm64Prolog.Full)]);
        }

        return sections.Process;
    }

    private static ulong Address(Group text) => ulong.Parse(text.Value.Replace("`", "", StringComparison.Ordinal), NumberStyles.HexNumber,
        CultureInfo.InvariantCulture);

    [GeneratedRegex(@"^([0-9a-f]{8}`[0-9a-f]{8}) ([0-9a-f]{8}`[0-9a-f]{8})   \S", RegexOptions.Multiline)]
    private static partial Regex Module();
}
