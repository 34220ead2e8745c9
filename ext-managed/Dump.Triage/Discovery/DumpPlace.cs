using Dump.Model.Merging;
using Dump.Triage.Archives;

namespace Dump.Triage.Discovery;

/// <summary>One of the places where a dump lies.</summary>
/// <param name="File">The file, or the archive.</param>
/// <param name="Archive">What kind of archive it is; <see cref="ContentKind.Dump"/> for a file of its own.</param>
/// <param name="Member">The member of the archive, or null.</param>
/// <param name="Source">The place for people and records.</param>
internal sealed record DumpPlace(FoundFile File, ContentKind Archive, ArchiveMember? Member, TriageSource Source)
{
    /// <summary>The member as a file of the run's own folder, where it has been unpacked already; else null.</summary>
    public string? Unpacked { get; init; }
}
