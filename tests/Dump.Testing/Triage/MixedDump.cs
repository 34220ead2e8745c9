namespace Dump.Testing.Triage;

/// <summary>A kind of dumps in a mixed folder, with what its recipe says that triage must make of each.</summary>
/// <param name="Bucket">The cause, in words: dumps of one cause must be together, and nothing else with them. Null where no verdict is due.</param>
/// <param name="Verdict">Id of the verdict, or null.</param>
/// <param name="ExitCode">What the program must end with on one of them alone.</param>
/// <param name="Few">How many of them a small folder has.</param>
/// <param name="Many">How many a large one has.</param>
/// <param name="Make">Makes the bytes of the one with a number.</param>
public sealed record MixedDump(string? Bucket, string? Verdict, int ExitCode, int Few, int Many, Func<int, byte[]> Make)
{
    /// <summary>True for what is no dump or cannot be read: it must be reported as such.</summary>
    public bool IsBad { get; init; }

    /// <summary>True where the dump lies in a zip archive.</summary>
    public bool IsZipped { get; init; }

    /// <summary>How many files with these very bytes lie beside each.</summary>
    public int Copies { get; init; }
}
