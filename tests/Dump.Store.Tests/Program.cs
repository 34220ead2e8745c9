using System.Globalization;
using Dump.Triage.Records;

namespace Dump.Store.Tests;

/// <summary>
/// <c>write STORE FIRST COUNT</c>: puts records into a store and prints the number of each when it was acknowledged, until it is killed or done,
/// or its standard input ends.
/// </summary>
internal static class Program
{
    private const int Abandoned = 3;

    private static int Main(string[] arguments)
    {
        if (arguments is not ["write", var place, var first, var count])
        {
            return 2;
        }

        if (Console.IsInputRedirected)
        {
            // Whoever started it holds the other end.
            new Thread(() =>
            {
                while (Console.In.Read() >= 0)
                {
                }

                Environment.Exit(Abandoned);
            }) { IsBackground = true }.Start();
        }

        try
        {
            using IRecordStore store = RecordStores.Write(place);
            foreach (int number in Enumerable.Range(int.Parse(first, CultureInfo.InvariantCulture), int.Parse(count, CultureInfo.InvariantCulture)))
            {
                store.Put(StoreFolder.Record(number));
                Console.Out.WriteLine(number.ToString(CultureInfo.InvariantCulture));
                Console.Out.Flush();
            }

            return 0;
        }
        catch (Exception error) when (error is UnusableStoreException or UnwritableRecordException)
        {
            Console.Error.WriteLine(error.Message);
            return 1;
        }
    }
}
