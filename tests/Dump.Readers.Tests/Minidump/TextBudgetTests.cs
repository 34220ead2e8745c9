using System.Text;
using Dump.Readers.Minidump;
using Dump.Testing.Fixtures;
using Dump.Testing.Synthetic;

namespace Dump.Readers.Tests.Minidump;

/// <summary>Text of a dump: cleaned, cut, and together no more than the file can hold, however often it is named.</summary>
public sealed class TextBudgetTests
{
    private const string Overspent = "more text than the file can hold";

    [Fact]
    public void Overlapping_strings_are_read_only_up_to_the_files_length()
    {
        // Every second word of this block is the length of a string of 8 KB that runs over all that follow.
        RawMinidump file = new();
        ByteWriter block = new();
        for (int i = 0; i < 4000; i++)
        {
            block.UInt32(0x2000).UInt32(0x0041_0041);
        }

        int start = file.Data(block.ToArray());
        byte[] bytes = file.System().Thread().Modules([.. Enumerable.Range(0, 500).Select(i => start + 8 * i)]).ToArray();
        using MinidumpFile dump = MinidumpFile.FromBytes(bytes);
        int expected = bytes.Length / 0x2000;
        Assert.Equal(expected, dump.ModuleList.Count(m => m.Path.Length > 0));
        Assert.Equal(Overspent, Assert.Single(dump.Problems).Message[6..(6 + Overspent.Length)]);
    }

    [Fact]
    public void A_string_that_many_name_counts_once()
    {
        RawMinidump file = new();
        int name = file.Text(new string('n', 1000));
        using MinidumpFile dump = MinidumpFile.FromBytes(file.System().Thread().Modules([.. Enumerable.Repeat(name, 500)]).ToArray());
        Assert.All(dump.ModuleList, m => Assert.Equal(1000, m.Path.Length));
        Assert.Empty(dump.Problems);
    }

    [Fact]
    public void The_limit_on_text_holds_for_large_files_too()
    {
        RawMinidump file = new();
        int[] names = [file.Text(new string('a', 30)), file.Text(new string('b', 30))];
        using MinidumpFile dump = MinidumpFile.FromBytes(file.System().Thread().Modules(names).ToArray(), new ReadLimits { MaxTextBytes = 100 });
        Assert.Equal([new string('a', 30), ""], dump.ModuleList.Select(m => m.Path));
        Assert.Contains(dump.Problems, p => p.Message.Contains(Overspent, StringComparison.Ordinal));
    }

    [Fact]
    public void Sound_dumps_stay_within_the_budget()
    {
        foreach (Fixture fixture in Fixture.All)
        {
            using MinidumpFile dump = MinidumpFile.Open(fixture.Path);
            Assert.DoesNotContain(dump.Problems, p => p.Message.Contains(Overspent, StringComparison.Ordinal));
        }
    }

    [Fact]
    public void Comments_keep_their_line_breaks_and_nothing_else()
    {
        byte[] comment = Encoding.Unicode.GetBytes("one\r\ntwo\rthree\nfour\t\u001b[2J\u202e\u3164\u2800\0never");
        using MinidumpFile dump = MinidumpFile.FromBytes(new RawMinidump().System().Thread().Stream(11, comment).ToArray());
        Assert.Equal("one\ntwo\nthree\nfour ?[2J???", Assert.Single(dump.Comments).Text);
    }

    [Fact]
    public void Single_byte_comments_are_read_as_utf8()
    {
        using MinidumpFile dump = MinidumpFile.FromBytes(new RawMinidump().System().Thread().Stream(10, "Gr\u00fc\u00dfe\r\n\u200b"u8).ToArray());
        Assert.Equal("Gr\u00fc\u00dfe\n?", Assert.Single(dump.Comments).Text);
    }

    [Fact]
    public void Names_have_no_line_breaks()
    {
        RawMinidump file = new();
        int name = file.Text("C:\\a\r\nVerdict: fine\u001b[0m\u2066\ufe0f.dll");
        using MinidumpFile dump = MinidumpFile.FromBytes(file.System().Thread().Modules([name]).ToArray());
        Assert.Equal("C:\\a  Verdict: fine?[0m??.dll", Assert.Single(dump.ModuleList).Path);
    }

    [Theory]
    [InlineData(4096, false)]
    [InlineData(4097, true)]
    [InlineData(500_000, true)]
    public void Long_names_and_comments_are_cut(int length, bool isCut)
    {
        string text = string.Concat(Enumerable.Repeat("\u001b", 10)) + new string('x', length - 10);
        string expected = new string('?', 10) + (isCut ? new string('x', 4083) + "..." : new string('x', 4086));
        RawMinidump file = new();
        int name = file.Text(text);
        byte[] bytes = file.System().Thread().Modules([name]).Stream(10, Encoding.UTF8.GetBytes(text)).Stream(11, Encoding.Unicode.GetBytes(text)).ToArray();
        using MinidumpFile dump = MinidumpFile.FromBytes(bytes);
        Assert.Equal(expected, dump.ModuleList[0].Path);
        Assert.Equal([expected, expected], dump.Comments.Select(c => c.Text));
    }
}
