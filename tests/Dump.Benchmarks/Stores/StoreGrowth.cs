using System.Diagnostics;
using System.Globalization;
using Dump.Analysis.Merging;
using Dump.Benchmarks.Measuring;
using Dump.Model.Merging;
using Dump.Store;
using Dump.Testing.Triage;
using Dump.Triage.Records;

namespace Dump.Benchmarks.Stores;

/// <summary>
/// What adding 1,000 records to a store costs, and the overview after it, by how many records are there: time, processor time, memory, size. Records are
/// synthetic, made of the reports that the tests of formats have, with 60 modules of the system each. Stores of more than 1,000 are filled by
/// <see cref="FilledStore"/>; what is measured goes the way of triage.
/// </summary>
internal static class StoreGrowth
{
    private const int Added = 1000;
    private const int Rounds = 3;
    private const int SystemModules = 60;
    private const int Shown = 200;
    private const int NoteEvery = 10_000;
    private const int FilledOneByOne = 1_000;
    private const int Kinds = 4_000;
    private const int Variants = 250;

    /// <summary>Fills a store to 1,000 records, then ten times as many, and so on, and measures at each.</summary>
    /// <param name="most">The most records.</param>
    /// <param name="place">Address of an empty PostgreSQL database, or a file that is not there and stays; null for one that goes afterwards.</param>
    /// <param name="first">The least number at which is measured.</param>
    /// <returns>The exit code.</returns>
    public static int Run(int most, string? place, int first = FilledOneByOne)
    {
        Console.WriteLine(Machine.Describe());
        Console.WriteLine();
        Console.WriteLine("| records | adding 1,000: wall, s | CPU, s | overview: wall, s | CPU, s | memory of the process, MiB | file, MB |");
        Console.WriteLine("|---|---|---|---|---|---|---|");
        var records = SyntheticRecords.OfGoldens(SystemModules);
        using Workspace workspace = new();
        string? file = place?.Contains("://", StringComparison.Ordinal) == true ? null : place ?? Path.Combine(workspace.Folder, "hangs.db");
        int there = 0;
        for (int size = first; size <= most; size *= 10)
        {
            there = Fill(file ?? place!, records, there, Math.Min(size, FilledOneByOne));
            if (there < size)
            {
                new FilledStore(records, Kinds, Variants).Fill(file ?? place!, there, size, Console.Error.WriteLine);
                there = size;

                // The overview of the day before.
                RecordStores.KeepCounts(file ?? place!);
            }

            there = Measure(file ?? place!, file, records, there);
        }

        return 0;
    }

    /// <summary>Writes a folder of records, as triage leaves it, to be copied into a store.</summary>
    /// <param name="folder">The folder, made when it is not there.</param>
    /// <param name="first">Number of the first one.</param>
    /// <param name="count">How many.</param>
    /// <returns>The exit code.</returns>
    public static int WriteFolder(string folder, int first, int count)
    {
        var records = SyntheticRecords.OfGoldens(SystemModules);
        using IRecordStore store = FolderStore.Write(folder);
        foreach (int number in Enumerable.Range(first, count))
        {
            store.Put(Record(records, number));
        }

        store.Put(new StoredRun(SyntheticRecords.Identity(-1), null, folder, null, null, """{"schema":"dump-triage/1","shard":null,"warnings":[]}"""u8.ToArray()));
        store.Complete();
        return 0;
    }

    private static int Fill(string place, SyntheticRecords records, int there, int size)
    {
        using IRecordStore store = RecordStores.Write(place);
        for (; there < size; there++)
        {
            store.Put(Record(records, there));
            if (there % NoteEvery == 0)
            {
                Console.Error.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{there:N0} of {size:N0} records"));
            }
        }

        return there;
    }

    private static int Measure(string place, string? file, SyntheticRecords records, int there)
    {
        int before = there;
        List<(double Wall, double Processor)> adding = [], overviews = [];
        long memory = 0;
        for (int round = 0; round < Rounds; round++)
        {
            StoredRecord[] added = [.. Enumerable.Range(there, Added).Select(n => Record(records, n))];
            using IRecordStore store = RecordStores.Write(place);
            adding.Add(Timed(() => Array.ForEach(added, store.Put)));
            there += Added;
            TriageOverview? overview = null;
            overviews.Add(Timed(() => overview = RecordStores.Overview(store, 0, Shown, OverviewOptions.Default)));
            if (overview?.Dumps != there)
            {
                throw new InvalidOperationException($"The overview counts {overview?.Dumps} of {there} records.");
            }

            memory = Environment.WorkingSet;
        }

        Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
            $"| {before:N0} (load {Machine.Load():0}) | {Spread(adding.Select(a => a.Wall))} | {Spread(adding.Select(a => a.Processor))} "
                + $"| {Spread(overviews.Select(o => o.Wall))} | {Spread(overviews.Select(o => o.Processor))} | {memory >> 20} "
                + $"| {(file is null ? "" : $"{new FileInfo(file).Length / 1e6:0}")} |"));
        return there;
    }

    private static StoredRecord Record(SyntheticRecords records, int number) => new(SyntheticRecords.Identity(number), null, records.Document(number));

    private static (double Wall, double Processor) Timed(Action action)
    {
        using var process = Process.GetCurrentProcess();
        TimeSpan processor = process.TotalProcessorTime;
        var clock = Stopwatch.StartNew();
        action();
        clock.Stop();
        process.Refresh();
        return (clock.Elapsed.TotalSeconds, (process.TotalProcessorTime - processor).TotalSeconds);
    }

    private static string Spread(IEnumerable<double> values)
    {
        double[] sorted = [.. values.Order()];
        return string.Create(CultureInfo.InvariantCulture, $"{sorted[sorted.Length / 2]:0.00} ({sorted[0]:0.00} to {sorted[^1]:0.00})");
    }
}
