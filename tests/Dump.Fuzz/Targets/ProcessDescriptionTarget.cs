using Dump.Fuzz.Inputs;
using Dump.Fuzz.Oracles;
using Dump.Fuzz.Processes;
using Dump.Readers;
using Dump.Readers.Minidump;
using Dump.Readers.Windows;

namespace Dump.Fuzz.Targets;

/// <summary>A process in a debugger: the small dump that describes it, and its memory, which is asked for piece by piece and may fail at any.</summary>
internal sealed class ProcessDescriptionTarget : FuzzTarget
{
    // Each page that is asked for is copied into the pages that are kept, and neighbours are asked for again one by one where some are absent.
    private const long CopiesOfPage = 4;
    private readonly (Sample Sample, MinidumpFile Sound)[] _dumps;
    private readonly Sample[] _samples;
    private long _asked;

    public ProcessDescriptionTarget()
        : base("process-description", "a process in a debugger, by its description and its memory")
    {
        _dumps = [.. MinidumpTarget.Dumps.Select(d => (Name: d, Bytes: MinidumpTarget.Bytes(d))).Where(d => HasMemoryList(d.Bytes))
            .Select(d => (Sample.OfMinidump(d.Name, d.Bytes), MinidumpFile.FromBytes(d.Bytes)))];
        Oracle.Holds(_dumps.Length > 1, "no sample describes a process");
        _samples = [.. _dumps.Select(d => d.Sample)];
    }

    /// <inheritdoc/>
    public override byte[] Input(Random random) => ByteMutator.Damage(_samples, random);

    /// <inheritdoc/>
    public override long MostAllocated(int length) => DamageCheck.MostAllocated(2 * length) + CopiesOfPage * _asked;

    /// <inheritdoc/>
    public override string Execute(byte[] input)
    {
        // What the process does follows from the description, so that an input is one file.
        int number = 17;
        foreach (byte value in input)
        {
            number = unchecked(number * 31 + value);
        }

        Random random = new(number);
        UnreliableMemory memory = new(_dumps[random.Next(_dumps.Length)].Sound, random);
        try
        {
            using MinidumpFile dump = MinidumpFile.OpenProcess("fuzz", input, memory);
            using StringWriter text = new();
            string outcome = DamageCheck.Judge(WindowsSnapshotReader.Read(dump, "fuzz"), text);
            Oracle.IsHarmless(text.ToString());
            return outcome;
        }
        catch (InvalidDumpException error)
        {
            return Oracle.IsSentence(error.Message);
        }
        finally
        {
            _asked = memory.Asked;
        }
    }

    private static bool HasMemoryList(byte[] bytes)
    {
        using MinidumpFile dump = MinidumpFile.FromBytes(bytes);
        return dump.MemoryRegions is { Count: > 0 };
    }
}
