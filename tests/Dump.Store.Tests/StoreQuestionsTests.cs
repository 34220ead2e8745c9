using System.Data.Common;
using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using Dump.Testing;
using Dump.Testing.Lab;
using Dump.Triage.Records;

namespace Dump.Store.Tests;

/// <summary>
/// The questions of <c>docs/store.md</c>, asked of the same records in each database: the answers are those of the committed file, and no answer is empty.
/// </summary>
[Collection(PostgresCollection.Name)]
public sealed partial class StoreQuestionsTests(PostgresServer server) : IDisposable
{
    private const int Questions = 8;
    private const int Records = 700;
    private readonly StoreFolder _folder = new();

    [Fact]
    public void Sqlite_answers_them() => Check(_folder.At("hangs.db"));

    [SkippableFact]
    public void Postgres_answers_them()
    {
        Skip.If(PostgresServer.Unavailable is not null, PostgresServer.Unavailable);
        Check(server.NewDatabase());
    }

    public void Dispose() => _folder.Dispose();

    private static void Check(string place)
    {
        string page = File.ReadAllText(Path.Combine(Repository.Root, "docs", "store.md"));
        string[] questions = [.. Question().Matches(page[page.IndexOf("## Eight questions", StringComparison.Ordinal)..]).Select(m => m.Groups[1].Value)];
        Assert.Equal(Questions, questions.Length);
        using IRecordStore store = RecordStores.Write(place);
        StoreFolder.Fill(store, Enumerable.Range(0, Records));
        StringBuilder answers = new();
        foreach (string question in questions)
        {
            string answer = Ask(((DatabaseStore)store).Connection, question);
            Assert.True(answer.Contains('\n', StringComparison.Ordinal), $"No row answers:\n{question}");
            answers.Append(CultureInfo.InvariantCulture, $"{question}\n{answer}\n");
        }

        GoldenFolder.Of("Dump.Store.Tests").Compare("questions.txt", answers.ToString());
    }

    private static string Ask(DbConnection connection, string question)
    {
        using DbCommand command = connection.CreateCommand();
        command.CommandText = question;
        using DbDataReader reader = command.ExecuteReader();
        StringBuilder answer = new();
        while (reader.Read())
        {
            answer.AppendJoin(" | ", Enumerable.Range(0, reader.FieldCount)
                .Select(i => reader.IsDBNull(i) ? "NULL" : Convert.ToString(reader.GetValue(i), CultureInfo.InvariantCulture))).Append('\n');
        }

        return answer.ToString();
    }

    [GeneratedRegex("```sql\n(.*?)\n```", RegexOptions.Singleline)]
    private static partial Regex Question();
}
