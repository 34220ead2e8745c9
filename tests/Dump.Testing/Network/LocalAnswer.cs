namespace Dump.Testing.Network;

/// <summary>What a <see cref="LocalServer"/> answers.</summary>
public sealed record LocalAnswer
{
    /// <summary>There is no such file.</summary>
    public static LocalAnswer NotFound { get; } = new() { Status = 404 };

    /// <summary>The status.</summary>
    public int Status { get; init; } = 200;

    /// <summary>The body.</summary>
    public byte[] Content { get; init; } = [];

    /// <summary>How many bytes of it are sent; null for all.</summary>
    public int? Sent { get; init; }

    /// <summary>False to leave out how long the body is.</summary>
    public bool SaysLength { get; init; } = true;

    /// <summary>True to keep the connection open behind the body, and to send nothing more.</summary>
    public bool Stalls { get; init; }

    /// <summary>Another address, of a redirection.</summary>
    public string? Location { get; init; }
}
