namespace Dump.Cli.Serving;

/// <summary>A request that is not answered; the message says why and what to ask instead, as a sentence without a full stop.</summary>
/// <param name="message">The reason (sanitised).</param>
internal sealed class RefusedRequestException(string message) : Exception(message);
