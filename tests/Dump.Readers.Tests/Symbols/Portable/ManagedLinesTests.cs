using System.Collections.Immutable;
using System.Globalization;
using System.Reflection;
using System.Runtime.CompilerServices;
using Dump.Fuzz.Inputs;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Readers.Pe;
using Dump.Readers.Stores;
using Dump.Readers.Symbols.Portable;
using Dump.Readers.Symbols;

namespace Dump.Readers.Tests.Symbols.Portable;

/// <summary>Where PDBs are looked for, which of them count, and which files are not even opened.</summary>
public sealed class ManagedLinesTests : IDisposable
{
    private static readonly MethodInfo s_method = typeof(ManagedLinesTests).GetMethod(nameof(Known), BindingFlags.NonPublic | BindingFlags.Static)!;
    private static readonly AsyncStateMachineAttribute s_waiting =
        typeof(ManagedLinesTests).GetMethod(nameof(Waiting), BindingFlags.NonPublic | BindingFlags.Static)!.GetCustomAttribute<AsyncStateMachineAttribute>()!;

    private readonly string _directory = Directory.CreateTempSubdirectory("dump-lines-").FullName;

    private static string Assembly => typeof(ManagedLinesTests).Assembly.Location;

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    [Fact]
    public void PDB_beside_the_very_module_counts()
    {
        ProcessSnapshot read = Add(ModuleOf(Assembly), SymbolSearchPath.None);
        Assert.Equal(nameof(ManagedLinesTests) + ".cs", read.Threads[0].Stack.Frames[0].Source?.FileName);
        Assert.False(read.Threads[0].Stack.Frames[0].Source!.IsApproximate);
        Assert.Empty(read.Problems);
    }

    [Fact]
    public void Module_of_another_build_has_no_lines()
    {
        ManagedModule module = ModuleOf(Assembly);
        Assert.Null(Line(Add(module with { TimeDateStamp = 1, PdbId = null }, SymbolSearchPath.None)));
        Assert.Null(Line(Add(module with { PdbId = Guid.NewGuid() }, SymbolSearchPath.None)));
        Assert.Null(Line(Add(new ManagedModule(Assembly, 0) { VersionId = Guid.NewGuid() }, SymbolSearchPath.None)));
        Assert.NotNull(Line(Add(new ManagedModule(Assembly, 0) { VersionId = typeof(ManagedLinesTests).Module.ModuleVersionId }, SymbolSearchPath.None)));
        Assert.Null(Line(Add(new ManagedModule(Assembly, 0), SymbolSearchPath.None)));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Symbol_path_has_it_by_name_or_as_symbol_stores_do(bool isStore)
    {
        ManagedModule module = ModuleOf(Assembly) with { Path = "/nowhere/app.dll", PdbPath = "/nowhere/app.pdb" };
        string key = string.Create(CultureInfo.InvariantCulture, $"{module.PdbId:N}ffffffff");
        string place = Directory.CreateDirectory(isStore ? Path.Combine(_directory, "app.pdb", key) : _directory).FullName;
        File.Copy(Path.ChangeExtension(Assembly, ".pdb"), Path.Combine(place, "app.pdb"));
        Assert.NotNull(Line(Add(module, SymbolSearchPath.Parse(_directory))));
        Assert.Null(Line(Add(module with { PdbStamp = 1 }, SymbolSearchPath.Parse(_directory))));
    }

    [Fact]
    public void File_with_the_right_name_and_another_id_is_refused_and_told()
    {
        ManagedModule module = ModuleOf(Assembly) with { Path = null, PdbPath = @"C:\build\app.pdb" };
        File.WriteAllBytes(Path.Combine(_directory, "app.pdb"), FakePortablePdb.Make());
        ProcessSnapshot read = Add(module, SymbolSearchPath.Parse(_directory));
        Assert.Null(Line(read));
        ReaderProblem problem = Assert.Single(read.Problems);
        Assert.StartsWith("app.pdb is not used: it belongs to another build", problem.Message, StringComparison.Ordinal);
        Assert.False(problem.LosesFacts);
    }

    /// <summary>Opening a pipe without a writer never returns.</summary>
    [SkippableFact]
    public void Pipes_and_devices_are_not_opened()
    {
        Skip.If(OperatingSystem.IsWindows(), "Windows has no such files");
        string pipe = Path.Combine(_directory, "app.pdb");
        using (System.Diagnostics.Process make = System.Diagnostics.Process.Start("mkfifo", [pipe]))
        {
            make.WaitForExit();
        }

        ManagedModule module = ModuleOf(Assembly) with { Path = pipe, PdbPath = pipe };
        Assert.Null(Line(Add(module, SymbolSearchPath.Parse(_directory))));
        Assert.Null(Line(Add(module with { Path = "/dev/zero", PdbPath = "/dev/zero" }, SymbolSearchPath.None)));
    }

    [Theory]
    [InlineData(@"\\server\share\app.dll")]
    [InlineData("//server/share/app.dll")]
    [InlineData("/net/server/app.dll")]
    [InlineData("/proc/self/exe")]
    [InlineData("../app.dll")]
    [InlineData("app.dll")]
    [InlineData("/tmp/../etc/hostname")]
    [InlineData("/etc/host\0name")]
    [InlineData("")]
    public void Paths_that_are_no_files_of_this_machine_lead_nowhere(string path) => Assert.Null(LocalFile.Existing(path, null));

    [Fact]
    public void Index_of_a_module_that_is_not_there_leads_nowhere()
    {
        ProcessSnapshot snapshot = Snapshot(ModuleOf(Assembly), new MethodPlace(7, s_method.MetadataToken) { Offset = 0 });
        Assert.Null(Line(ManagedLines.Add(snapshot, SymbolSearchPath.None, null)));
    }

    [Fact]
    public void Awaits_of_all_groups_have_lines()
    {
        MethodPlace code = new(0, s_waiting.StateMachineType
            .GetMethod("MoveNext", BindingFlags.NonPublic | BindingFlags.Instance)!.MetadataToken);
        ImmutableArray<AwaitingMethod> methods = [new AwaitingMethod("App.Call", 12) { Place = new AwaitPlace(code, 0) }];
        ProcessSnapshot snapshot = Snapshot(ModuleOf(Assembly), code) with
        {
            AsyncWaits = new AsyncWaits
            {
                Semaphores = [new AwaitedSemaphore(0x10) { Methods = methods }],
                Tasks = [new AwaitedTask(0x20) { Methods = methods }],
                Sources = [new AwaitedSources(0x30) { Methods = methods }],
                Hosts = [new HostTransition(0x40, true) { Method = methods[0] }, new HostTransition(0x50, false)],
            },
        };
        AsyncWaits read = ManagedLines.Add(snapshot, SymbolSearchPath.None, null).AsyncWaits!;
        AwaitingMethod[] found = [.. read.Semaphores[0].Methods, .. read.Tasks[0].Methods, .. read.Sources[0].Methods, read.Hosts[0].Method!];
        Assert.Equal(4, found.Length);
        Assert.All(found, m => Assert.Equal("ManagedLinesTests.cs", m.Source?.FileName));
    }

    private static int Known() => Environment.ProcessId;

    private static async Task Waiting() => await Task.Yield();

    private static int? Line(ProcessSnapshot snapshot) => snapshot.Threads[0].Stack.Frames[0].Source?.Line;

    private static ProcessSnapshot Add(ManagedModule module, SymbolSearchPath path, ProcessFiles? files = null) =>
        ManagedLines.Add(Snapshot(module, new MethodPlace(0, s_method.MetadataToken) { Offset = 0 }), path, null, files);

    private static ManagedModule ModuleOf(string path)
    {
        using ManagedImage image = ManagedImage.OfFile(path)!;
        PeFileIdentity identity = image.Identity;
        return new ManagedModule(path, 0)
        {
            TimeDateStamp = identity.TimeDateStamp,
            ImageSize = identity.SizeOfImage,
            PdbPath = image.Pdb!.Path,
            PdbId = image.Pdb.Guid,
            PdbStamp = image.Pdb.Stamp,
        };
    }

    private static ProcessSnapshot Snapshot(ManagedModule module, MethodPlace place) => new()
    {
        Source = new SourceDescription("app.core", "Linux core", 1, null, null),
        System = new SystemDescription(Model.Process.ProcessorArchitecture.X64, 0, 0, 0, null, false, "Linux x64"),
        Available = DataAvailability.All,
        ManagedModules = [module],
        Threads =
        [
            new ThreadSnapshot
            {
                Id = 1,
                Index = 0,
                Activity = new ThreadActivity(ThreadActivityKind.Unknown, null, []),
                Stack = new ThreadStack(
                    [new StackFrame(0x1000, 0x2000, "app.dll", null, "App.Main", 0, FrameTrust.UnwindInfo, SymbolSource.Metadata) { Code = place }],
                    StackEnd.Complete),
            },
        ],
    };
}
