namespace Dump.Fetching.Missing;

/// <summary>Something that a dump lacks here and that a server has, or may have.</summary>
public abstract class MissingFile
{
    /// <summary>What it is, for people.</summary>
    public abstract string Name { get; }

    /// <summary>Where it comes from: an address without names and passwords, or a file.</summary>
    public abstract string Address { get; }

    /// <summary>How many bytes it has, or null when nobody has said so yet.</summary>
    public abstract long? Bytes { get; }

    /// <summary>Gets it, checks it and puts it where it belongs: whole, or not at all.</summary>
    /// <param name="progress">Receives the bytes that have come so far.</param>
    /// <param name="cancellation">Ends the reading.</param>
    /// <returns>Where it lies now.</returns>
    /// <exception cref="UnavailableException">It could not be had, or is not what is wanted.</exception>
    public abstract Task<string> FetchAsync(IProgress<long>? progress, CancellationToken cancellation);
}
