namespace Dump.Triage.Archives;

/// <summary>An opened archive.</summary>
internal interface IPackedFile : IDisposable
{
    /// <summary>Its members, without folders.</summary>
    IReadOnlyList<ArchiveMember> Members { get; }

    /// <summary>Opens the content of a member, from its beginning.</summary>
    /// <exception cref="InvalidDataException">It cannot be unpacked.</exception>
    Stream Open(ArchiveMember member);
}
