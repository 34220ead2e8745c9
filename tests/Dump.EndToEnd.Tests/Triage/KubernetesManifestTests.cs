using System.Globalization;
using System.Runtime.Versioning;
using System.Text.RegularExpressions;
using Dump.Testing;

namespace Dump.EndToEnd.Tests.Triage;

/// <summary>The Kubernetes manifests keep Kubernetes' own schemas, and say what their comments say.</summary>
[UnsupportedOSPlatform("windows")]
public sealed partial class KubernetesManifestTests : IDisposable
{
    private const int UnavailableExitCode = 3;
    private static readonly string s_folder = Path.Combine(Repository.Root, "deploy", "kubernetes");
    private readonly string _temporary = Directory.CreateTempSubdirectory("dump-kubernetes-").FullName;

    [SkippableFact]
    public void Manifests_are_sound()
    {
        string[] manifests = Directory.GetFiles(s_folder, "*.yaml");
        Assert.Equal(3, manifests.Length);
        ShellProgram run = Check(manifests);
        Assert.Equal((0, ""), (run.ExitCode, run.Output));
    }

    /// <summary>Else the check proves nothing.</summary>
    [SkippableTheory]
    [InlineData("completionMode: Indexed", "completionMod: Indexed", "completionMod")]
    [InlineData("readOnlyRootFilesystem", "readonlyRootFilesystem", "readonlyRootFilesystem")]
    [InlineData("completions: 4", "completions: four", "completions")]
    [InlineData("restartPolicy: Never", "restartPolicy: 7", "restartPolicy")]
    [InlineData("kind: Job", "kind: Jobb", "Jobb")]
    public void Wrong_manifest_is_found(string sound, string wrong, string named)
    {
        string text = File.ReadAllText(Path.Combine(s_folder, "job.yaml"));
        Assert.Contains(sound, text, StringComparison.Ordinal);
        string manifest = Path.Combine(_temporary, "wrong.yaml");
        File.WriteAllText(manifest, text.Replace(sound, wrong, StringComparison.Ordinal));
        ShellProgram run = Check(manifest);
        Assert.Equal(1, run.ExitCode);
        Assert.Contains(named, run.Output, StringComparison.Ordinal);
    }

    /// <summary>The number of shards stands three times; pods that disagree would leave dumps out.</summary>
    [Fact]
    public void Shards_pods_and_completions_agree()
    {
        string text = File.ReadAllText(Path.Combine(s_folder, "job.yaml"));
        int completions = int.Parse(Completions().Match(text).Groups[1].ValueSpan, CultureInfo.InvariantCulture);
        Assert.True(completions > 1);
        Assert.Contains($"parallelism: {completions}\n", text, StringComparison.Ordinal);
        Assert.Contains($"\"--shard-index\", \"$(JOB_COMPLETION_INDEX)/{completions}\", ", text, StringComparison.Ordinal);
    }

    /// <summary>Pods run as nobody in particular, cannot become anybody else and cannot change their image.</summary>
    [Theory]
    [InlineData("job.yaml")]
    [InlineData("merge.yaml")]
    [InlineData("watch.yaml")]
    public void Pods_have_no_rights(string manifest)
    {
        string text = File.ReadAllText(Path.Combine(s_folder, manifest));
        Assert.All(
            ["runAsNonRoot: true", "allowPrivilegeEscalation: false", "readOnlyRootFilesystem: true", "drop: [\"ALL\"]", "automountServiceAccountToken: false",
                "type: RuntimeDefault", "limits:"],
            line => Assert.Contains(line, text, StringComparison.Ordinal));
    }

    /// <summary>The image has neither a shell nor any other program, so whatever a pod or a line of the guide runs in it is dumpanalyze.</summary>
    [Fact]
    public void Nothing_runs_in_the_image_but_its_program()
    {
        string guide = File.ReadAllText(Path.Combine(Repository.Root, "docs", "kubernetes.md"));
        string[] commands = [.. Directory.GetFiles(s_folder, "*.yaml").Select(File.ReadAllText).Append(guide)
            .SelectMany(t => PodCommand().Matches(t).Select(m => m.Groups[1].Value))];
        Assert.True(commands.Length > 2);
        Assert.All(commands, c => Assert.StartsWith("\"/app/dumpanalyze\"", c, StringComparison.Ordinal));
        string[] executed = [.. GuideCommand().Matches(guide).Select(m => m.Groups[1].Value)];
        Assert.NotEmpty(executed);
        Assert.All(executed, c => Assert.Equal("/app/dumpanalyze", c));
    }

    public void Dispose() => Directory.Delete(_temporary, recursive: true);

    private static ShellProgram Check(params string[] manifests)
    {
        Skip.If(OperatingSystem.IsWindows(), "needs bash");
        ShellProgram run = ShellProgram.Run(Path.Combine(Repository.Root, "lab", "kubernetes.sh"), manifests);
        Skip.If(run.ExitCode == UnavailableExitCode, run.Errors.Trim());
        return run;
    }

    [GeneratedRegex(@"^ +command: \[(.*)\]$", RegexOptions.Multiline)]
    private static partial Regex PodCommand();

    [GeneratedRegex(@"^kubectl (?:exec|debug) .* -- (\S+)", RegexOptions.Multiline)]
    private static partial Regex GuideCommand();

    [GeneratedRegex(@"^  completions: (\d+)$", RegexOptions.Multiline)]
    private static partial Regex Completions();
}
