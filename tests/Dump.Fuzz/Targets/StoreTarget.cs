using Dump.Analysis.Merging;
using Dump.Fuzz.Inputs;
using Dump.Fuzz.Oracles;
using Dump.Store;
using Dump.Testing.Triage;
using Dump.Triage.Records;

namespace Dump.Fuzz.Targets;

/// <summary>SQLite files that say they are stores: opened, all records and runs read, the overview made.</summary>
internal sealed class StoreTarget : FuzzTarget, IDisposable
{
    private const int Records = 6;
    private readonly ScratchFile _file = new();
    private readonly Sample[] _samples;

    public StoreTarget()
        : base("store", "SQLite files as stores") => _samples = [Sample.Of("store", Sound())];

    /// <inheritdoc/>
    public override byte[] Input(Random random) => ByteMutator.Damage(_samples, random);

    /// <inheritdoc/>
    public override long MostAllocated(int length) => (64L << 20) + 400L * length;

    /// <inheritdoc/>
    public override string Execute(byte[] input)
    {
        if (input.Length == 0)
        {
            return "empty";
        }

        string path = _file.Write(input, "store.db");
        try
        {
            using IRecordStore store = RecordStores.Read(path);
            int read = 0, damaged = 0;
            foreach (StoredRecord record in store.ReadAll().Take(100))
            {
                read++;
                damaged += TriageRecords.Read(record, out string? problem) is null ? 1 : 0;
                Oracle.IsHarmless(problem);
            }

            return $"{read} {damaged} {store.Runs().Count} {RecordStores.Overview(store, 0, 10, OverviewOptions.Default)?.Dumps}";
        }
        catch (UnusableStoreException error)
        {
            return Oracle.IsSentence(error.Message);
        }
        finally
        {
            File.Delete(path + "-wal");
            File.Delete(path + "-shm");
        }
    }

    public void Dispose() => _file.Dispose();

    private byte[] Sound()
    {
        string path = _file.At("sound.db");
        using (IRecordStore store = RecordStores.Write(path))
        {
            var records = SyntheticRecords.OfGoldens(machines: 3);
            for (int i = 0; i < Records; i++)
            {
                store.Put(new StoredRecord(SyntheticRecords.Identity(i), "a", records.Document(i)));
            }

            store.Put(new StoredRun("a", "host", "/dumps", null, DateTime.UnixEpoch, null));
        }

        return File.ReadAllBytes(path);
    }
}
