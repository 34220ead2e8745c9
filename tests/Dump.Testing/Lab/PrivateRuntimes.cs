using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Text.Json.Nodes;

namespace Dump.Testing.Lab;

/// <summary>
/// Several .NET runtimes side by side below one directory, made from the runtime packages of NuGet: the muxer and host of the installed .NET, and each
/// package's files as a shared framework.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed class PrivateRuntimes
{
    private const string Package = "microsoft.netcore.app.runtime.linux-x64";
    private static readonly Lazy<PrivateRuntimes> Instance = new(() => new PrivateRuntimes());

    private PrivateRuntimes()
    {
        string installed = RuntimeEnvironment.GetRuntimeDirectory();
        string dotnet = Path.GetFullPath(Path.Combine(installed, "..", "..", ".."));
        Root = Directory.CreateTempSubdirectory("dump-runtimes-").FullName;
        AppDomain.CurrentDomain.ProcessExit += (_, _) => Directory.Delete(Root, recursive: true);
        File.Copy(Path.Combine(dotnet, "dotnet"), Path.Combine(Root, "dotnet"));
        CopyFolder(Path.Combine(dotnet, "host", "fxr"), Path.Combine(Root, "host", "fxr"));
    }

    /// <summary>The runtimes of this test process.</summary>
    public static PrivateRuntimes Shared => Instance.Value;

    /// <summary>The directory; its <c>dotnet</c> starts programs on the runtimes below it.</summary>
    public string Root { get; }

    /// <summary>Where the shared frameworks lie.</summary>
    public string Frameworks => Path.Combine(Root, "shared", "Microsoft.NETCore.App");

    /// <summary>Adds a runtime, if it is not there yet.</summary>
    /// <param name="version">Exact version, for example <c>8.0.0</c>.</param>
    /// <returns>Its directory, or null when its package was not restored.</returns>
    public string? Add(string version)
    {
        string target = Path.Combine(Frameworks, version);
        lock (Instance)
        {
            if (Directory.Exists(target))
            {
                return target;
            }

            string package = Path.Combine(PackageFolder, Package, version, "runtimes", "linux-x64");
            if (!Directory.Exists(package))
            {
                return null;
            }

            CopyFolder(Path.Combine(package, "native"), target);
            CopyFolder(Directory.EnumerateDirectories(Path.Combine(package, "lib")).Single(), target);
            DescribeFramework(target, version);
            File.SetUnixFileMode(Path.Combine(target, "createdump"), UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
            return target;
        }
    }

    /// <summary>Where the native files of a runtime's package lie, its data-access library among them; the package need not be there.</summary>
    /// <param name="version">Exact version.</param>
    public static string PackageDirectory(string version) => Path.Combine(PackageFolder, Package, version, "runtimes", "linux-x64", "native");

    /// <summary>The host starts a framework by its description, which old packages lack: the names of its libraries, all in one directory.</summary>
    private static void DescribeFramework(string directory, string version)
    {
        string description = Path.Combine(directory, "Microsoft.NETCore.App.deps.json");
        if (File.Exists(description))
        {
            return;
        }

        string target = $".NETCoreApp,Version=v{Version.Parse(version).ToString(2)}/linux-x64";
        string library = $"{Package}/{version}";
        JsonObject Libraries(string pattern, params string[] keys) => new(Directory.EnumerateFiles(directory, pattern)
            .Select(file => KeyValuePair.Create<string, JsonNode?>(Path.GetFileName(file),
                new JsonObject(keys.Select(k => KeyValuePair.Create<string, JsonNode?>(k, "4.0.0.0"))))));
        JsonObject content = new()
        {
            ["runtimeTarget"] = new JsonObject { ["name"] = target },
            ["targets"] = new JsonObject
            {
                [target] = new JsonObject
                {
                    [library] = new JsonObject { ["runtime"] = Libraries("*.dll", "assemblyVersion", "fileVersion"), ["native"] =
                        Libraries("*.so", "fileVersion") },
                },
            },
            ["libraries"] = new JsonObject { [library] = new JsonObject { ["type"] = "package", ["serviceable"] = true, ["sha512"] = "" } },
        };
        File.WriteAllText(description, content.ToJsonString());
    }

    private static string PackageFolder => Environment.GetEnvironmentVariable("NUGET_PACKAGES") is { Length: > 0 } folder
        ? folder
        : Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".nuget", "packages");

    private static void CopyFolder(string from, string to)
    {
        foreach (string file in Directory.EnumerateFiles(from, "*", SearchOption.AllDirectories))
        {
            string target = Path.Combine(to, Path.GetRelativePath(from, file));
            Directory.CreateDirectory(Path.GetDirectoryName(target)!);
            File.Copy(file, target);
        }
    }
}
