namespace Dump.Triage.Archives;

/// <summary>What is wrong with a member of an archive.</summary>
/// <param name="Text">What, as a clause.</param>
/// <param name="IsOnlyCut">True when what was unpacked is taken for the beginning of the content as it was
/// packed; false when any of its bytes may be wrong, so that no verdict could rest on them.</param>
internal sealed record MemberFlaw(string Text, bool IsOnlyCut);
