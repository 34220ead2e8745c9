using System.Runtime.Versioning;

namespace Dump.Testing.Lab;

/// <summary>
/// One of the ways in which programs run in production: how their code is compiled, on which runtime, with which collector, published how, in which host.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed class SceneVariant
{
    private readonly Func<string, LiveScene> _start;
    private Func<string, string?> _leftOut = _ => null;

    private SceneVariant(string name, Func<string, LiveScene> start)
    {
        Name = name;
        _start = start;
    }

    /// <summary>All of them: freshly started first.</summary>
    public static IReadOnlyList<SceneVariant> All { get; } =
    [
        new("cold", LinuxLab.Start),
        new("warm", LinuxLab.StartWarm),

        // Default tiering; what is called twice is compiled anew at once.
        new("tiered", scene => LinuxLab.StartOptimised(scene,
            ("DOTNET_TC_CallCountThreshold", "2"), ("DOTNET_TC_CallCountingDelayMs", "0"), ("DOTNET_TC_BackgroundWorkerTimeoutMs", "0"))),
        new("no tiers", scene => LinuxLab.StartWith(scene, ("DOTNET_TieredCompilation", "0"))),
        new("no ReadyToRun", scene => LinuxLab.StartWith(scene, ("DOTNET_ReadyToRun", "0"))),
        new("server GC", scene => LinuxLab.StartWith(scene, ("DOTNET_gcServer", "1"))),
        new("self-contained", scene => LinuxLab.StartProgram(scene, SingleFileLab.Installed.SelfContainedProgram)),
        new("single file", scene => LinuxLab.StartProgram(scene, SingleFileLab.Installed.Program)),
        new("ASP.NET Core", WebLab.Start) { _leftOut = WebLab.LeftOut, IsUnderLoad = true },
        Other("8.0.0", isWarm: false),
        Other("8.0.0", isWarm: true),
        Other("9.0.18", isWarm: false),
        Other("9.0.18", isWarm: true),
        Other("11.0.0", isWarm: false),
        Other("11.0.0", isWarm: true),
        new(".NET 11 runtime async", scene => LinuxLab.StartRuntimeAsync(scene, "11.0.0")) { Version = "11.0.0" },
    ];

    /// <summary>Its name, which stands in tables.</summary>
    public string Name { get; }

    /// <summary>Version of its runtime, where that is not the installed one; else null.</summary>
    public string? Version { get; private init; }

    /// <summary>Whether the program works on other things beside the scene.</summary>
    public bool IsUnderLoad { get; private init; }

    /// <summary>Why it has no such scene, for a skipped test; null when it has.</summary>
    /// <param name="scene">Name of the scene.</param>
    public string? LeftOut(string scene) => _leftOut(scene);

    /// <summary>Starts a scene and leaves it running.</summary>
    /// <param name="scene">Name of the scene.</param>
    /// <exception cref="InvalidOperationException">The scene did not reach its state.</exception>
    public LiveScene Start(string scene) => _start(scene);

    private static SceneVariant Other(string version, bool isWarm) =>
        new($".NET {version[..version.IndexOf('.', StringComparison.Ordinal)]}{(isWarm ? " warm" : "")}",
            scene => isWarm ? LinuxLab.StartWarmOn(scene, version) : LinuxLab.StartOn(scene, version)) { Version = version };
}
