using Dump.Model.Verdicts;

namespace Dump.Model.Merging;

/// <summary>What a signature was made of.</summary>
public enum SignatureKind
{
    /// <summary>The first verdict: its kind and its canonical cycle or chain.</summary>
    Verdict,

    /// <summary>The normalised stack of the thread to look at first: there is no verdict.</summary>
    Stack,
}
