using System.Text;
using System.Text.Json;
using Dump.Clr;
using Dump.Clr.Wine;
using Dump.Fuzz.Inputs;
using Dump.Fuzz.Oracles;

namespace Dump.Fuzz.Targets;

/// <summary>The managed half of a Windows dump, as the build under Wine hands it over: read, merged, judged, printed.</summary>
internal sealed class ManagedHalfTarget : FuzzTarget
{
    private readonly JsonMutator _mutator = new(("half", Written()));

    public ManagedHalfTarget()
        : base("wine", "the managed half from Wine, in JSON")
    {
    }

    /// <inheritdoc/>
    public override byte[] Input(Random random) => _mutator.Damage(random);

    /// <inheritdoc/>
    public override long MostAllocated(int length) => (8L << 20) + 400L * length;

    /// <inheritdoc/>
    public override string Execute(byte[] input)
    {
        ManagedHalf? half;
        try
        {
            using MemoryStream stream = new(input);
            half = ManagedHalfJson.Read(stream);
        }
        catch (JsonException error)
        {
            return $"refused {error.Path}";
        }

        if (half is null)
        {
            return "no runtime";
        }

        using StringWriter text = new();
        string outcome = DamageCheck.Judge(MergedSnapshot.Of(ManagedHalves.Native(), half), text);
        Oracle.IsHarmless(text.ToString());
        return $"{outcome} {half.Collections.Length} {half.TaskWaits.Length} {half.Names.Length} {half.AsyncWaits?.Cycles.Length}";
    }

    private static string Written()
    {
        using MemoryStream output = new();
        ManagedHalfJson.Write(output, ManagedHalves.Managed());
        return Encoding.UTF8.GetString(output.ToArray());
    }
}
