using System.Diagnostics;
using System.Runtime.Versioning;

namespace Dump.Testing.Lab;

/// <summary>Programs that hang inside of packages: <c>samples/managed-packages</c>.</summary>
[SupportedOSPlatform("linux")]
public static class PackageLab
{
    private static string Program =>
        Path.Combine(Repository.Root, "artifacts", "bin", "managed-hang-packages", LinuxLab.Configuration, "managed-hang-packages.dll");

    /// <summary>Starts a scene and leaves it running. Threads of the packages work on, so it does not come to rest.</summary>
    /// <param name="scene">Name of the scene.</param>
    /// <param name="folder">A folder for its files, which is the caller's to remove.</param>
    /// <exception cref="InvalidOperationException">The scene did not reach its state.</exception>
    public static LiveScene Start(string scene, string folder) =>
        SceneProgram.Start(new ProcessStartInfo("dotnet", [Program, scene]), scene, [("SAMPLE_FOLDER", folder)], rests: false);
}
