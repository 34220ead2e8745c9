namespace Dump.Triage.Archives;

/// <summary>An opened archive.</summary>
internal interface IPackedFile : IDisposable
{
    /// <summary>Its members, without folders.</summary>
    IReadOnlyList<ArchiveMember> Members { get; }

    /// <summary>Opens the content of a member, from its beginning.</summary>
    /// <exception cref="InvalidDataException">It cannot be unpacked.</exception>
    Stream Open(ArchiveMember member);

    /// <summary>What is wrong with the member that was opened last and read to its end; null when nothing is.</summary>
    /// <param name="member">The member.</param>
    /// <param name="size">Bytes that were read of it.</param>
    /// <param name="checksum">CRC-32 of them.</param>
    MemberFlaw? FlawOf(ArchiveMember member, long size, uint checksum);
}
