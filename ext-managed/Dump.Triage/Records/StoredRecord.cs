namespace Dump.Triage.Records;

/// <summary>A record as it is kept, whole.</summary>
/// <param name="Identity">Identity of the dump's content: 64 hexadecimal digits in lower case. There is one record for each.</param>
/// <param name="Run">Key of the run that wrote it, or null where that is not known.</param>
/// <param name="Content">The document <c>dump-record/1</c> in UTF-8, as it was written; empty where it cannot be read.</param>
public sealed record StoredRecord(string Identity, string? Run, ReadOnlyMemory<byte> Content)
{
    /// <summary>Why the content cannot be read, as a clause; null when it is there.</summary>
    public string? Problem { get; init; }

    /// <summary>True for what can be an identity.</summary>
    public static bool IsIdentity(string text) => text.Length == RecordJson.IdentityLength && text.All(char.IsAsciiHexDigitLower);
}
