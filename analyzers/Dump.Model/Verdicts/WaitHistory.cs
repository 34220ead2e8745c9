using System.Text.Json.Serialization;

namespace Dump.Model.Verdicts;

/// <summary>A wait of the last of several dumps.</summary>
/// <param name="Resource">What is waited for, in words.</param>
/// <param name="Holder">The thread that holds it, or null when it is unknown.</param>
/// <param name="StandsSince">
/// Number of the dump, 1-based, since which the thread has waited for it in every one, behind the same holder; null when it did not in the last but one.
/// </param>
public sealed record WaitHistory([property: JsonRequired] string Resource, uint? Holder, int? StandsSince);
