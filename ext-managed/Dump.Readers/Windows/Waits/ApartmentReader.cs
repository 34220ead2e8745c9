using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers.Windows.Layouts;
using Dump.Readers.Windows.Process;

namespace Dump.Readers.Windows.Waits;

/// <summary>Reads which apartment a thread is in.</summary>
internal static class ApartmentReader
{
    /// <summary>
    /// The apartment, or null for a thread that does not use COM or is in the multi-threaded one without
    /// having asked for it, and on systems whose structure is not known.
    /// </summary>
    /// <param name="memory">The process' memory.</param>
    /// <param name="thread">The thread.</param>
    public static ComApartment? Read(IMemory memory, WindowsThread thread)
    {
        if (thread.Environment is not { } teb)
        {
            return null;
        }

        if (OleThreadData.IsMissing(memory, teb))
        {
            return new ComApartment(
                ComApartmentKind.NotInDump,
                new Evidence(EvidenceSource.Memory, "TEB.ReservedForOle points to memory that is not in the dump",
                    teb.Address + (ulong?)teb.Layout.ReservedForOle));
        }

        const uint Kinds = OleThreadDataLayout.SingleThreaded | OleThreadDataLayout.MultiThreaded;
        return OleThreadData.Read(memory, teb) is { Flags: var flags } data && (flags & Kinds) != 0
            ? new ComApartment(
                (flags & OleThreadDataLayout.SingleThreaded) != 0 ? ComApartmentKind.SingleThreaded : ComApartmentKind.MultiThreaded,
                new Evidence(
                    EvidenceSource.Memory,
                    "flags of what COM keeps of the thread (SOleTlsData, not documented): "
                        + $"{((flags & OleThreadDataLayout.SingleThreaded) != 0 ? "single" : "multi")}-threaded apartment",
                    data.Address + (ulong?)teb.Layout.Ole.Flags))
            : null;
    }
}
