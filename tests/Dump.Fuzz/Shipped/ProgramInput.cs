namespace Dump.Fuzz.Shipped;

/// <summary>One input of the shipped program: a dump, and the files that it leads to.</summary>
/// <param name="Dump">Bytes of the dump; empty where an existing one is changed in place.</param>
/// <param name="IsCore">True for a Linux core.</param>
internal sealed record ProgramInput(byte[] Dump, bool IsCore)
{
    /// <summary>Programs and libraries, by their paths below the folder of <c>--images</c>.</summary>
    public IReadOnlyList<(string Path, byte[] Bytes)> Images { get; init; } = [];

    /// <summary>Symbol files, by their paths below the folder of <c>--symbols</c>.</summary>
    public IReadOnlyList<(string Path, byte[] Bytes)> Symbols { get; init; } = [];

    /// <summary>Separate debug files, by their build ids.</summary>
    public IReadOnlyList<(string BuildId, byte[] Bytes)> DebugFiles { get; init; } = [];

    /// <summary>A dump that is changed in place and restored afterwards; null where there is none.</summary>
    public string? Base { get; init; }

    /// <summary>The changes of <see cref="Base"/>: where, what was there and what is written.</summary>
    public IReadOnlyList<(long Offset, ulong Old, ulong New)> Changes { get; init; } = [];

    /// <summary>Bytes of the dump and of all files.</summary>
    public long Length =>
        (Base is { } path ? new FileInfo(path).Length : Dump.Length) + Images.Concat(Symbols).Concat(DebugFiles).Sum(f => (long)f.Item2.Length);
}
