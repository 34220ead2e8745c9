using Dump.Fuzz.Inputs;
using Dump.Fuzz.Oracles;
using Dump.Testing.Fixtures;
using Dump.Testing.Synthetic;

namespace Dump.Fuzz.Targets;

/// <summary>
/// Windows minidumps from the bytes to the printed report: streams, threads, modules, environment blocks, loader, locks, waits, unwinding, verdicts.
/// </summary>
internal sealed class MinidumpTarget : FuzzTarget
{
    // Made by hand: every stream, kernel objects with all of their records, threads that call each other by COM, waits by address.
    private static readonly Dictionary<string, byte[]> s_synthetic = new()
    {
        ["all-streams"] = AllStreams.Build(),
        ["kernel-objects"] = ObjectScene.Various().Process.ToMinidump(),
        ["com-calls"] = ComScene.Chain().Process.ToMinidump(),
        ["address-waits"] = AddressWaitScene.OfAllKinds().Process.ToMinidump(),
    };

    private readonly Sample[] _samples;

    private MinidumpTarget(string name, string what, IEnumerable<string> dumps)
        : base(name, what) => _samples = [.. dumps.Select(d => Sample.OfMinidump(d, Bytes(d)))];

    /// <summary>Names of all dumps.</summary>
    public static IReadOnlyList<string> Dumps => [.. Fixture.All.Select(f => f.Name), .. s_synthetic.Keys];

    /// <summary>The committed dumps of real hangs.</summary>
    public static MinidumpTarget OfFixtures() => new("minidump-real", "committed dumps of real hangs, whole analysis", Fixture.All.Select(f => f.Name));

    /// <summary>The dumps made by hand, which have every stream.</summary>
    public static MinidumpTarget OfScenes() => new("minidump", "hand-made dumps with every stream, whole analysis", s_synthetic.Keys);

    /// <summary>A dump by its name.</summary>
    public static byte[] Bytes(string name) => s_synthetic.TryGetValue(name, out byte[]? bytes) ? bytes : File.ReadAllBytes(Fixture.Named(name).Path);

    /// <inheritdoc/>
    public override byte[] Input(Random random) => ByteMutator.Damage(_samples, random);

    /// <inheritdoc/>
    public override string Execute(byte[] input) => DamageCheck.Analyse(input, out _);

    /// <inheritdoc/>
    public override long MostAllocated(int length) => DamageCheck.MostAllocated(length);
}
