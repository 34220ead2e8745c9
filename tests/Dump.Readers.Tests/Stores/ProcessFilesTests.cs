using Dump.Readers.Stores;

namespace Dump.Readers.Tests.Stores;

/// <summary>Which files count of those that a process names, where its paths are not this machine's.</summary>
public sealed class ProcessFilesTests : IDisposable
{
    private readonly string _directory = Directory.CreateTempSubdirectory("dump-process-files-").FullName;
    private readonly string _prefix;
    private readonly string _file;

    public ProcessFilesTests()
    {
        _prefix = Path.Combine(_directory, "prefix");
        _file = Path.Combine(_directory, "prefix", "drive_c", "app", "app.pdb");
        Directory.CreateDirectory(Path.GetDirectoryName(_file)!);
        File.WriteAllText(_file, "content");
        string devices = Directory.CreateDirectory(Path.Combine(_prefix, "dosdevices")).FullName;
        Directory.CreateSymbolicLink(Path.Combine(devices, "c:"), "../drive_c");
        Directory.CreateSymbolicLink(Path.Combine(devices, "z:"), "/");
        Directory.CreateSymbolicLink(Path.Combine(devices, "x:"), "/nowhere");
        Directory.CreateSymbolicLink(Path.Combine(devices, "n:"), "/proc");
        Directory.CreateDirectory(Path.Combine(devices, "e:"));
    }

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    [SkippableTheory]
    [InlineData(@"C:\app\app.pdb")]
    [InlineData(@"c:\app\app.pdb")]
    [InlineData("C:/app/app.pdb")]
    public void Drive_of_the_prefix_leads_to_its_file(string path)
    {
        Skip.If(OperatingSystem.IsWindows(), "Wine is used elsewhere");
        Assert.Equal(_file, ProcessFiles.OfWine(_prefix).Existing(path));
        Assert.Null(ProcessFiles.Here.Existing(path));
        Assert.Null(ProcessFiles.OfWine(null).Existing(path));
    }

    [SkippableFact]
    public void Drive_of_the_root_leads_to_files_of_this_machine()
    {
        Skip.If(OperatingSystem.IsWindows(), "Wine is used elsewhere");
        Assert.Equal(_file, ProcessFiles.OfWine(_prefix).Existing("Z:" + _file.Replace('/', '\\')));
        Assert.Equal(_file, ProcessFiles.OfWine(_prefix).Existing(_file));
    }

    [SkippableTheory]
    [InlineData(@"C:\app\..\app\app.pdb")]
    [InlineData(@"C:\.\app\app.pdb")]
    [InlineData(@"C:\\app\app.pdb")]
    [InlineData(@"C:app\app.pdb")]
    [InlineData(@"C:\app\app.pdb:stream")]
    [InlineData("C:\\app\\app.pdb\0")]
    [InlineData(@"C:\app\none.pdb")]
    [InlineData(@"C:\app")]
    [InlineData(@"C:\")]
    [InlineData(@"D:\app\app.pdb")]
    [InlineData(@"E:\app\app.pdb")]
    [InlineData(@"X:\app\app.pdb")]
    [InlineData(@"N:\self\environ")]
    [InlineData(@"Z:\proc\self\environ")]
    [InlineData(@"Z:\dev\zero")]
    [InlineData(@"Z:\net\server\app.pdb")]
    [InlineData(@"\\server\share\app.pdb")]
    [InlineData(@"\\?\C:\app\app.pdb")]
    [InlineData("../app.pdb")]
    public void Other_paths_lead_nowhere(string path)
    {
        Skip.If(OperatingSystem.IsWindows(), "Wine is used elsewhere");
        Assert.Null(ProcessFiles.OfWine(_prefix).Existing(path));
    }

    [SkippableFact]
    public void Link_to_what_is_no_file_of_this_machine_is_not_followed()
    {
        Skip.If(OperatingSystem.IsWindows(), "Wine is used elsewhere");
        File.CreateSymbolicLink(Path.Combine(Path.GetDirectoryName(_file)!, "link.pdb"), "/proc/self/environ");
        Assert.Null(ProcessFiles.OfWine(_prefix).Existing(@"C:\app\link.pdb"));
    }

    [SkippableFact]
    public void Root_of_a_process_is_put_before_its_paths()
    {
        Skip.If(OperatingSystem.IsWindows(), "there is no such root");
        Assert.Equal(_file, ProcessFiles.Below(_prefix).Existing("/drive_c/app/app.pdb"));
        Assert.Null(ProcessFiles.Below(_prefix).Existing(@"C:\app\app.pdb"));
    }
}
