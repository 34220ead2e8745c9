namespace Dump.Fetching.Downloads;

/// <summary>A server did not give what it was asked for.</summary>
/// <param name="message">What happened, as a clause that names the server.</param>
public sealed class DownloadException(string message) : Exception(message);
