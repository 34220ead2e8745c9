using Dump.Analysis;
using Dump.Model.Process;
using Dump.Readers.Minidump;
using Dump.Readers.Windows;
using Dump.Testing.Fixtures;

namespace Dump.Reports.Tests.Scenes;

/// <summary>Everything that reports are made of in these tests, by name.</summary>
internal static class NamedScenes
{
    /// <summary>The scenes that are made as facts.</summary>
    public static IReadOnlyDictionary<string, Func<Scene>> Made { get; } = new Dictionary<string, Func<Scene>>(
        [.. VerdictScenes.Named, .. UiScenes.Named, .. OpenWaitScenes.Named, .. ManagedScenes.Named, .. PairScenes.Named, .. MissingDataScenes.Named]);

    /// <summary>All: <c>scenes/NAME</c>, <c>fixtures/NAME</c> for the committed dumps, <c>damaged/NAME</c> for files that are not as they should be.</summary>
    public static IReadOnlyDictionary<string, Func<Scene>> All { get; } = new Dictionary<string, Func<Scene>>(
    [
        .. Made.Select(s => KeyValuePair.Create($"scenes/{s.Key}", s.Value)),
        .. Fixture.All.Select(f => KeyValuePair.Create($"fixtures/{f.Name}", () => Read(File.ReadAllBytes(f.Path), f.File))),
        KeyValuePair.Create("damaged/hostile", () => Read(HostileDump.Make(), "hos\u001b[7mtile\u202epmd.dmp")),
        KeyValuePair.Create("damaged/truncated", () => Read(Truncated(), "truncated.dmp")),
    ]);

    /// <summary>The facts and the judgement of a dump.</summary>
    public static Scene Read(byte[] bytes, string name)
    {
        using MinidumpFile dump = MinidumpFile.FromBytes(bytes);
        ProcessSnapshot snapshot = WindowsSnapshotReader.Read(dump, name);
        return new Scene(snapshot, HangAnalysis.Run(snapshot));
    }

    /// <summary>A dump whose writer was interrupted: the last third, where memory stands, is missing.</summary>
    private static byte[] Truncated()
    {
        byte[] whole = File.ReadAllBytes(Fixture.Named("loader-exit").Path);
        return whole[..(whole.Length * 2 / 3)];
    }
}
