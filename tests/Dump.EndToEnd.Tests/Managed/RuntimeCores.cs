using System.Runtime.Versioning;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary>Cores of scenes on a runtime version; the test is skipped where one cannot be made.</summary>
[SupportedOSPlatform("linux")]
internal static class RuntimeCores
{
    /// <summary>The version that the tests themselves run on.</summary>
    public static string Installed { get; } = Environment.Version.ToString();

    /// <summary>The core of a scene on an exact version.</summary>
    public static LabDump Make(LinuxLab lab, string version, string scene, string? kind = null)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        if (version == Installed)
        {
            return kind is null ? lab.Dump(scene) : lab.DumpAnew(scene, kind);
        }

        string? framework = PrivateRuntimes.Shared.Add(version);
        Skip.If(framework is null, $"NuGet package Microsoft.NETCore.App.Runtime.linux-x64 {version} is not restored");
        return lab.DumpOn(scene, version, framework, kind);
    }
}
