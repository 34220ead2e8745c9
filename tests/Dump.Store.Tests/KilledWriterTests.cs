using Dump.Testing.Triage;
using Dump.Triage.Records;
using Microsoft.Data.Sqlite;

namespace Dump.Store.Tests;

/// <summary>
/// Writers that are killed while they write: what they acknowledged is there, byte for byte, and the store is whole. The moment is a number of
/// acknowledgements, so it lies between two writes of each writer or within one, and on no clock.
/// </summary>
public sealed class KilledWriterTests : IDisposable
{
    private const int Seed = 20_261_125;
    private readonly StoreFolder _folder = new();

    [Fact]
    public void Nothing_acknowledged_is_lost() => KillRepeatedly(rounds: 3);

    [Fact]
    [Trait("Category", "Slow")]
    public void Nothing_acknowledged_is_lost_at_fifty_moments() => KillRepeatedly(rounds: 50);

    public void Dispose() => _folder.Dispose();

    private void KillRepeatedly(int rounds)
    {
        string place = _folder.At("hangs.db");
        SortedSet<int> acknowledged = WriterRound.KillRepeatedly(place, rounds, new Random(Seed));
        using IRecordStore store = RecordStores.Read(place);
        Assert.All(acknowledged, n => Assert.Equal(StoreFolder.Records.Document(n), store.Find(SyntheticRecords.Identity(n))?.Content.ToArray()));
        using SqliteConnection connection = new(new SqliteConnectionStringBuilder { DataSource = place, Pooling = false }.ToString());
        connection.Open();
        using SqliteCommand check = new("PRAGMA integrity_check", connection);
        Assert.Equal("ok", check.ExecuteScalar());
        using SqliteCommand orphans = new("SELECT COUNT(*) FROM stored_load WHERE sequence NOT IN (SELECT sequence FROM stored_document)", connection);
        Assert.Equal(0L, orphans.ExecuteScalar());
    }
}
