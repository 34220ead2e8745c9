using System.Diagnostics;
using System.Globalization;
using System.Runtime.Versioning;
using Dump.Capture.Watching;
using Dump.Capture.Watching.Looks;

namespace Dump.Capture.Tests.Watching;

/// <summary>Looks at real processes.</summary>
[SupportedOSPlatform("linux")]
public sealed class LinuxProcessLooksTests : IDisposable
{
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(5);
    private readonly string _folder = Directory.CreateTempSubdirectory("dump-looks-").FullName;
    private readonly LinuxProcessLooks _looks = new();

    [SkippableFact]
    public void Process_is_found_by_its_id_and_by_the_name_of_its_program()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs Linux");
        string program = Path.Combine(_folder, "a-program-with-a-long-name");
        File.Copy("/bin/sleep", program);
        using Process process = Process.Start(program, "1000");
        try
        {
            WatchTarget name = WatchTarget.Parse("a-program-with-a-long-name")!, id = WatchTarget.Parse(process.Id.ToString(CultureInfo.InvariantCulture))!;
            Assert.True(SpinWait.SpinUntil(() => _looks.Find(name).Count == 1, s_limit));
            WatchedProcess found = _looks.Find(name).Single();
            Assert.Equal(found with { Name = "" }, _looks.Find(id).Single() with { Name = "" });
            Assert.Equal("a-program-with-a-long-name", _looks.Find(id).Single().Name);
            Assert.Empty(_looks.Find(WatchTarget.Parse("a-program-with")!));
            ProcessLook look = _looks.Look(found)!;
            Assert.Equal(1, look.Threads);
            Assert.Equal((uint)process.Id, Assert.Single(look.ReadThreads()).Key.Id);
            Assert.InRange(_looks.Memory(found)!.Value, 1 << 16, 1 << 28);
            Assert.Null(_looks.Look(found with { Started = found.Started + TimeSpan.FromSeconds(1) }));
        }
        finally
        {
            process.Kill();
            process.WaitForExit();
        }

        Assert.Empty(_looks.Find(WatchTarget.Parse("a-program-with-a-long-name")!));
    }

    [SkippableFact]
    public void Processor_times_are_those_of_the_threads()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs Linux");
        using Process process = Process.Start("sh", ["-c", "while :; do :; done"]);
        try
        {
            WatchedProcess found = _looks.Find(WatchTarget.Parse(process.Id.ToString(CultureInfo.InvariantCulture))!).Single();
            Assert.True(SpinWait.SpinUntil(() => _looks.Look(found)!.ReadThreads().Values.Single() > TimeSpan.FromMilliseconds(50), s_limit));
            Assert.True(_looks.Look(found)!.Processor > TimeSpan.FromMilliseconds(50));
        }
        finally
        {
            process.Kill();
            process.WaitForExit();
        }

        Assert.Empty(_looks.Find(WatchTarget.Parse(process.Id.ToString(CultureInfo.InvariantCulture))!));
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);
}
