using System.Formats.Tar;
using System.IO.Compression;
using System.Runtime.Versioning;
using System.Security.Cryptography;
using System.Text.Json;
using Dump.EndToEnd.Tests.Triage;
using Dump.Testing;

namespace Dump.EndToEnd.Tests.Packages;

/// <summary>An OCI image from its archive: its configuration, its files, and a root file system to run it in without a container engine.</summary>
[SupportedOSPlatform("linux")]
internal sealed class ContainerImage : IDisposable
{
    // Beside the image's files a container engine gives a process /proc and /dev, here those of this machine, and the network stays away.
    private const string InRoot = """mount -t proc proc "$0/proc" && mount --bind /dev "$0/dev" && exec env -i "$@" """;
    private readonly string _folder = Directory.CreateTempSubdirectory("dump-image-").FullName;
    private readonly List<string> _layers = [];

    /// <summary>Reads it; every blob must have the hash that it is called by.</summary>
    public ContainerImage(string archive)
    {
        string layout = Directory.CreateDirectory(Path.Combine(_folder, "layout")).FullName;
        TarFile.ExtractToDirectory(archive, layout, overwriteFiles: false);
        JsonElement index = Read(File.ReadAllBytes(Path.Combine(layout, "index.json")));
        Descriptor = Assert.Single(index.Member("manifests").EnumerateArray().ToArray());
        JsonElement manifest = Read(Blob(layout, Descriptor));
        Configuration = Read(Blob(layout, manifest.Member("config")));
        foreach (JsonElement layer in manifest.Member("layers").EnumerateArray())
        {
            string unpacked = Path.Combine(_folder, $"layer{_layers.Count}.tar");
            using GZipStream packed = new(new MemoryStream(Blob(layout, layer)), CompressionMode.Decompress);
            using FileStream file = File.Create(unpacked);
            packed.CopyTo(file);
            _layers.Add(unpacked);
        }
    }

    /// <summary>What the index says of the image.</summary>
    public JsonElement Descriptor { get; }

    /// <summary>The image's configuration.</summary>
    public JsonElement Configuration { get; }

    /// <summary>The root file system, once <see cref="Unpack"/> was called.</summary>
    public string Root => Path.Combine(_folder, "root");

    /// <summary>All entries of all layers, the path without a dot before it.</summary>
    public IEnumerable<(string Path, TarEntry Entry)> Entries()
    {
        foreach (string layer in _layers)
        {
            using TarReader reader = new(File.OpenRead(layer));
            while (reader.GetNextEntry() is { } entry)
            {
                yield return ('/' + entry.Name.TrimStart('.').Trim('/'), entry);
            }
        }
    }

    /// <summary>Lays the layers on each other, with the owners that they name.</summary>
    public void Unpack()
    {
        Directory.CreateDirectory(Root);
        foreach (string layer in _layers)
        {
            ShellProgram run = ShellProgram.Run("tar", ["-xf", layer, "--numeric-owner", "-p", "-C", Root]);
            Assert.True(run.ExitCode == 0, run.Errors);
        }

        Directory.CreateDirectory(Path.Combine(Root, "proc"));
        Directory.CreateDirectory(Path.Combine(Root, "dev"));
    }

    /// <summary>Runs the image's entry point as its user, or as another one.</summary>
    public ShellProgram Run(string? user, params string[] arguments)
    {
        JsonElement config = Configuration.Member("config");
        string[] environment = [.. config.Member("Env").EnumerateArray().Select(v => v.GetString()!)];
        string[] program = [.. config.Member("Entrypoint").EnumerateArray().Select(v => v.GetString()!)];
        return ShellProgram.Run("unshare",
            ["--net", "--mount", "bash", "-c", InRoot, Root, .. environment, "/usr/sbin/chroot", $"--userspec={user ?? config.Member("User").GetString()}",
                Root, .. program, .. arguments]);
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private static JsonElement Read(byte[] json) => JsonDocument.Parse(json).RootElement;

    private static byte[] Blob(string layout, JsonElement descriptor)
    {
        string[] digest = descriptor.Member("digest").GetString()!.Split(':');
        byte[] content = File.ReadAllBytes(Path.Combine(layout, "blobs", digest[0], digest[1]));
        Assert.Equal(("sha256", digest[1], descriptor.Member("size").GetInt64()),
            (digest[0], Convert.ToHexStringLower(SHA256.HashData(content)), content.Length));
        return content;
    }
}
