namespace Dump.Fuzz.Inputs;

/// <summary>A sound input that damaged ones are made of.</summary>
/// <param name="Name">Its name for people.</param>
/// <param name="Bytes">Its bytes.</param>
/// <param name="Fields">Places of numbers that say how many, how large or where.</param>
/// <param name="Boundaries">Places at which a structure begins or ends.</param>
internal sealed record Sample(string Name, byte[] Bytes, IReadOnlyList<Field> Fields, IReadOnlyList<int> Boundaries)
{
    /// <summary>A sample of whose format nothing is known here but how such numbers look.</summary>
    public static Sample Of(string name, byte[] bytes) => Of(name, bytes, []);

    /// <summary>A sample with fields that are known, and those that look like such.</summary>
    public static Sample Of(string name, byte[] bytes, IEnumerable<Field> known)
    {
        Field[] likely = LikelyFields.Of(bytes);
        int[] targets = [.. likely.Select(f => (int)Math.Min(f.Read(bytes), int.MaxValue)).Where(v => v < bytes.Length)];
        return new Sample(name, bytes, [.. known, .. likely], [.. targets.Append(0).Distinct().Order()]);
    }

    /// <summary>A minidump, whose structures are known.</summary>
    public static Sample OfMinidump(string name, byte[] bytes)
    {
        DumpMap map = new(bytes);
        return new Sample(name, bytes, [.. map.Counts.Select(c => new Field(c, 4)), .. LikelyFields.Of(bytes)], [.. map.Boundaries]);
    }
}
