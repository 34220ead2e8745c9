using Dump.Model.Merging;
using Dump.Reports.Merging;
using Dump.Reports.Tests.Scenes;

namespace Dump.Reports.Tests.Triage;

/// <summary>The CSV file of a folder: RFC 4180, and no formula for a spreadsheet.</summary>
public sealed class OverviewCsvTests
{
    [Theory]
    [InlineData("plain", "plain")]
    [InlineData("a,b", "\"a,b\"")]
    [InlineData("say \"hi\"", "\"say \"\"hi\"\"\"")]
    [InlineData("=1+1", "\"'=1+1\"")]
    [InlineData("+1", "\"'+1\"")]
    [InlineData("-1", "\"'-1\"")]
    [InlineData("@SUM(A1)", "\"'@SUM(A1)\"")]
    [InlineData("\t=1", "\"' =1\"")]
    [InlineData(" =1", "\"' =1\"")]
    [InlineData("\r=1", "\"' =1\"")]
    [InlineData("two\nlines", "two lines")]
    [InlineData("\uFF1D1+1", "\"'\uFF1D1+1\"")]
    [InlineData("\uFF0B1", "\"'\uFF0B1\"")]
    [InlineData("\uFF0D1", "\"'\uFF0D1\"")]
    [InlineData(" \uFF20SUM(A1)", "\"' \uFF20SUM(A1)\"")]
    [InlineData("a;=1+1", "\"a;'=1+1\"")]
    [InlineData("a; \uFF1D1;-2", "\"a; '\uFF1D1;'-2\"")]
    [InlineData("a;\"=1", "\"a;\"\"'=1\"")]
    [InlineData("a;b", "\"a;b\"")]
    [InlineData(null, "")]
    public void Field_is_quoted_and_no_formula(string? text, string field) => Assert.Equal(field, OverviewCsv.Field(text));

    [Fact]
    public void Every_dump_is_a_line_with_all_columns()
    {
        TriageOverview overview = FolderScene.Make();
        string csv = Text(overview);
        List<List<string>> lines = Parse(csv);
        Assert.Equal(overview.Records.Length + 1, lines.Count);
        Assert.All(lines, l => Assert.Equal(lines[0].Count, l.Count));
        Assert.Equal(overview.Records.Select(r => r.Source.Path), lines.Skip(1).Select(l => l[0]));
        Assert.Equal(overview.Records.Length + 1, csv.Split("\r\n").Length - 1);
        Assert.DoesNotContain('\n', csv.Replace("\r\n", "", StringComparison.Ordinal));
        List<string> member = Assert.Single(lines, l => l[lines[0].IndexOf("member")] == "dumps/hang.dmp");
        Assert.Equal("DUMP1002", member[lines[0].IndexOf("detector")]);
    }

    [Fact]
    public void Hostile_texts_neither_end_their_fields_nor_become_formulas()
    {
        foreach (string text in (string[])["=cmd|' /C calc'!A0", "\",=1", "a\r\n=1,b", "-2+3", "\t@x"])
        {
            List<List<string>> lines = Parse(Text(HostileFolder.Overview(text)));
            Assert.Equal(4, lines.Count);
            Assert.All(lines, l => Assert.Equal(lines[0].Count, l.Count));
            Assert.All(lines.SelectMany(l => l), f => Assert.DoesNotMatch("^\\s*[=+\\-@\\t]", f));
        }
    }

    private static string Text(TriageOverview overview)
    {
        using StringWriter text = new();
        OverviewCsv.Write(overview, text);
        return text.ToString();
    }

    /// <summary>Reads RFC 4180: fields between commas, quotation marks doubled inside of quoted ones.</summary>
    private static List<List<string>> Parse(string csv)
    {
        List<List<string>> lines = [[]];
        System.Text.StringBuilder field = new();
        bool isQuoted = false;
        for (int i = 0; i < csv.Length; i++)
        {
            if (isQuoted && csv[i] == '"' && i + 1 < csv.Length && csv[i + 1] == '"')
            {
                field.Append('"');
                i++;
            }
            else if (csv[i] == '"')
            {
                isQuoted = !isQuoted;
            }
            else if (!isQuoted && csv[i] is ',' or '\r')
            {
                lines[^1].Add(field.ToString());
                field.Clear();
            }
            else if (!isQuoted && csv[i] == '\n')
            {
                lines.Add([]);
            }
            else
            {
                field.Append(csv[i]);
            }
        }

        Assert.False(isQuoted);
        lines.RemoveAt(lines.Count - 1);
        return lines;
    }
}
