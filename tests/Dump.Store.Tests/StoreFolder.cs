using Dump.Testing.Triage;
using Dump.Triage.Records;

namespace Dump.Store.Tests;

/// <summary>A folder for stores that goes at the end, and records to put into them.</summary>
internal sealed class StoreFolder : IDisposable
{
    private readonly DirectoryInfo _root = Directory.CreateTempSubdirectory("dumpanalyze-store-");

    /// <summary>Records made of the reports that the tests of formats have.</summary>
    public static SyntheticRecords Records { get; } = SyntheticRecords.OfGoldens(machines: 23);

    /// <summary>A file of this folder.</summary>
    public string At(string name) => Path.Combine(_root.FullName, name);

    /// <summary>The record of a number.</summary>
    public static StoredRecord Record(int number) => new(SyntheticRecords.Identity(number), null, Records.Document(number));

    /// <summary>Writes records into a place.</summary>
    public static void Fill(IRecordStore store, IEnumerable<int> numbers)
    {
        foreach (int number in numbers)
        {
            store.Put(Record(number));
        }
    }

    /// <summary>Copies all runs and records, as <c>merge --into</c> does, and closes both places.</summary>
    public static void Copy(IRecordStore from, IRecordStore to)
    {
        using (from)
        using (to)
        {
            foreach (StoredRun run in from.Runs())
            {
                to.Put(run);
            }

            foreach (StoredRecord record in from.ReadAll())
            {
                to.Put(record);
            }

            to.Complete();
        }
    }

    public void Dispose()
    {
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(_root.FullName, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        }

        _root.Delete(recursive: true);
    }
}
