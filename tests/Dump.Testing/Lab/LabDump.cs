using System.Globalization;

namespace Dump.Testing.Lab;

/// <summary>A dump of a sample that really hung, with what the sample itself said about its threads and locks.</summary>
/// <param name="Path">The dump file; it disappears when the test process ends.</param>
/// <param name="ProcessId">The sample's Windows process id.</param>
/// <param name="Threads">Thread ids by role, in the order of their creation.</param>
/// <param name="Addresses">Addresses of the locks by the sample's name for them.</param>
public sealed record LabDump(
    string Path,
    uint ProcessId,
    IReadOnlyDictionary<string, IReadOnlyList<uint>> Threads,
    IReadOnlyDictionary<string, ulong> Addresses)
{
    /// <summary>The id of the only thread with that role.</summary>
    /// <exception cref="InvalidOperationException">No thread or several threads have the role.</exception>
    public uint Thread(string role) => Threads.TryGetValue(role, out var ids) && ids.Count == 1
        ? ids[0]
        : throw new InvalidOperationException($"The sample has not exactly one thread '{role}'.");

    /// <summary>Reads the lines that a sample prints: <c>pid N</c>, <c>thread ID ROLE</c>, <c>address HEX NAME</c>, <c>ready</c>.</summary>
    /// <exception cref="FormatException">A line is none of these, or there is no process id.</exception>
    public static LabDump Parse(string path, IEnumerable<string> lines)
    {
        uint? processId = null;
        var threads = new Dictionary<string, List<uint>>();
        var addresses = new Dictionary<string, ulong>();
        foreach (var line in lines)
        {
            switch (line.Split(' '))
            {
                case ["pid", var id]:
                    processId = uint.Parse(id, CultureInfo.InvariantCulture);
                    break;
                case ["thread", var id, var role]:
                    if (!threads.TryGetValue(role, out var ids))
                    {
                        threads.Add(role, ids = []);
                    }

                    ids.Add(uint.Parse(id, CultureInfo.InvariantCulture));
                    break;
                case ["address", var address, var name]:
                    addresses.Add(name, ulong.Parse(address, NumberStyles.HexNumber, CultureInfo.InvariantCulture));
                    break;
                case ["frame" or "await" or "code" or "listens" or "served" or "sent" or "clients", ..]:
                case ["ready"]:
                    break;
                default:
                    throw new FormatException($"A sample printed an unknown line: '{line}'.");
            }
        }

        return new LabDump(
            path,
            processId ?? throw new FormatException("The sample printed no process id."),
            threads.ToDictionary(pair => pair.Key, pair => (IReadOnlyList<uint>)pair.Value),
            addresses);
    }
}
