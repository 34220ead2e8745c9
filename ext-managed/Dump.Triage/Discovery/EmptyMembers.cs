using System.Collections.Frozen;
using Dump.Triage.Archives;

namespace Dump.Triage.Discovery;

/// <summary>Members of archives without content, as a dump is that its writer has begun and not written.</summary>
internal static class EmptyMembers
{
    private static readonly FrozenSet<string> s_endings = new[] { ".dmp", ".mdmp", ".hdmp", ".core" }.ToFrozenSet(StringComparer.OrdinalIgnoreCase);

    /// <summary>The first empty member that has the name of a dump; null when there is none.</summary>
    /// <param name="archive">An archive whose members can be opened.</param>
    public static ArchiveMember? FirstDump(IPackedFile archive) =>
        archive.Members.FirstOrDefault(m => s_endings.Contains(Path.GetExtension(m.Name)) && Contain(archive, m));

    /// <summary>True for a member without content.</summary>
    /// <param name="archive">The archive.</param>
    /// <param name="member">The member, which can be opened.</param>
    public static bool Contain(IPackedFile archive, ArchiveMember member)
    {
        using Stream content = archive.Open(member);
        return content.ReadByte() < 0;
    }
}
