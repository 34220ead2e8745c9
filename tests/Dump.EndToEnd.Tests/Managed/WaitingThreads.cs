using System.Text.Json;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary>What each thread of a core waits for: the first link of its chain.</summary>
internal static class WaitingThreads
{
    /// <summary>First links by the roles of their threads; threads that share a role, and those without one or without a link, are left out.</summary>
    public static IReadOnlyDictionary<string, JsonElement> Of(LabDump dump, params string[] options)
    {
        ILookup<uint, string> roles = dump.Threads.Where(p => p.Value.Count == 1).ToLookup(p => p.Value[0], p => p.Key);
        return LockChains.Of(dump, options)
            .Select(c => c.Member("chain"))
            .Where(links => links.GetArrayLength() > 0)
            .Select(links => links[0])
            .SelectMany(link => roles[link.Member("thread").GetUInt32()].Select(role => (role, link)))
            .ToDictionary(p => p.role, p => p.link);
    }
}
