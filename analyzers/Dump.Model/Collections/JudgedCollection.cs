using Dump.Model.Facts;

namespace Dump.Model.Collections;

/// <summary>A finding with what it means.</summary>
/// <param name="Finding">The facts.</param>
/// <param name="Confidence">How sure it is that the collection is broken and hurts; null when a thread is
/// changing it at this moment, which explains what was found.</param>
/// <param name="Consequence">What this runtime does with such a collection, as a sentence.</param>
public sealed record JudgedCollection(CollectionFinding Finding, Confidence? Confidence, string Consequence);
