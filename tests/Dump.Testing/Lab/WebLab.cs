using System.Diagnostics;
using System.Runtime.Versioning;

namespace Dump.Testing.Lab;

/// <summary>The scenes of <c>samples/managed</c> inside ASP.NET Core under load: <c>samples/managed-web</c>.</summary>
[SupportedOSPlatform("linux")]
public static class WebLab
{
    private const string None = "none: ";
    private static readonly TimeSpan s_listLimit = TimeSpan.FromMinutes(2);
    private static readonly Lazy<Dictionary<string, string>> s_places = new(ReadPlaces);

    private static string Program => Path.Combine(Repository.Root, "artifacts", "bin", "managed-hang-web", LinuxLab.Configuration, "managed-hang-web.dll");

    /// <summary>Why a scene has no shape in a web server, for a skipped test; null when it has one.</summary>
    /// <param name="scene">Name of the scene.</param>
    /// <exception cref="InvalidOperationException">The sample did not list its scenes.</exception>
    public static string? LeftOut(string scene) =>
        s_places.Value.GetValueOrDefault(scene) is { } place && place.StartsWith(None, StringComparison.Ordinal) ? $"{scene} {place[None.Length..]}" : null;

    /// <summary>Starts a web server with a scene in it and leaves both running. Its load goes on, so it does not come to rest.</summary>
    /// <param name="scene">Name of the scene.</param>
    /// <exception cref="InvalidOperationException">The scene did not reach its state.</exception>
    public static LiveScene Start(string scene) => SceneProgram.Start(new ProcessStartInfo("dotnet", [Program, scene]), scene, [], rests: false);

    /// <summary>Starts a scene with a host of its own and leaves it running.</summary>
    /// <param name="scene">Name of the scene.</param>
    /// <param name="rests">False for one that goes on.</param>
    /// <param name="environment">Variables for it.</param>
    /// <exception cref="InvalidOperationException">The scene did not reach its state.</exception>
    public static LiveScene StartHost(string scene, bool rests = true, params (string Name, string Value)[] environment) =>
        SceneProgram.Start(new ProcessStartInfo("dotnet", [Program, scene]), scene, environment, rests);

    private static Dictionary<string, string> ReadPlaces()
    {
        using Process listing = Process.Start(new ProcessStartInfo("dotnet", [Program, "--list"]) { RedirectStandardOutput = true })
            ?? throw new InvalidOperationException("The sample did not start.");
        Task<string> text = listing.StandardOutput.ReadToEndAsync();
        if (!listing.WaitForExit(s_listLimit))
        {
            listing.Kill();
            throw new InvalidOperationException("The sample did not end.");
        }

        return listing.ExitCode == 0
            ? text.Result.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(line => line.Split(' ', 2)).ToDictionary(line => line[0], line => line[1])
            : throw new InvalidOperationException($"The sample did not list its scenes: exit code {listing.ExitCode}.");
    }
}
