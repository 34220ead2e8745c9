namespace Dump.Store.Tests;

/// <summary>Four processes that write to one store until something ends them, at a moment that is a number of acknowledgements.</summary>
internal static class WriterRound
{
    private const int Writers = 4;
    private const int RecordsOfEach = 100_000;

    /// <summary>Plays rounds in which all writers are killed.</summary>
    /// <param name="place">The store.</param>
    /// <param name="rounds">How many.</param>
    /// <param name="random">Chooses the moments.</param>
    /// <returns>Numbers of the records that were acknowledged: at least one in each round.</returns>
    public static SortedSet<int> KillRepeatedly(string place, int rounds, Random random)
    {
        SortedSet<int> acknowledged = [];
        for (int round = 0; round < rounds; round++)
        {
            acknowledged.UnionWith(Play(place, round, random.Next(1, 60), writers =>
            {
                Array.ForEach(writers, w => w.Kill());
                Array.ForEach(writers, w => w.WaitForEnd());
                string errors = string.Concat(writers.Select(w => w.Errors));
                Assert.True(errors.Length == 0, errors);
            }));
        }

        Assert.True(acknowledged.Count >= rounds);
        return acknowledged;
    }

    /// <summary>Plays a round.</summary>
    /// <param name="place">The store.</param>
    /// <param name="round">Number of the round: each writes records of its own.</param>
    /// <param name="acknowledgements">After how many the moment has come; an end of the first writer is one too.</param>
    /// <param name="end">Ends the writers and waits for that.</param>
    /// <returns>Numbers of the records that were acknowledged.</returns>
    public static IEnumerable<int> Play(string place, int round, int acknowledgements, Action<WriterProcess[]> end)
    {
        using CountdownEvent moment = new(acknowledgements);
        WriterProcess[] writers =
        [
            .. Enumerable.Range(0, Writers).Select(w => new WriterProcess(place, ((round * Writers) + w) * RecordsOfEach, RecordsOfEach, _ =>
            {
                lock (moment)
                {
                    if (!moment.IsSet)
                    {
                        moment.Signal();
                    }
                }
            })),
        ];
        try
        {
            Task ended = Task.Run(() => writers[0].WaitForEnd());
            _ = WaitHandle.WaitAny([moment.WaitHandle, ((IAsyncResult)ended).AsyncWaitHandle]);
            end(writers);
            return [.. writers.SelectMany(w => w.Acknowledged)];
        }
        finally
        {
            Array.ForEach(writers, w => w.Dispose());
        }
    }
}
