using System.Text;
using System.Text.RegularExpressions;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Extension;

/// <summary>What a dump says becomes text in the debugger: never a link, a command or an escape sequence.</summary>
public sealed partial class ExtensionHostileTests : IDisposable
{
    private readonly string _directory = Directory.CreateTempSubdirectory("dump-hostile-").FullName;

    [SkippableFact]
    public void Names_and_comments_of_a_dump_do_not_become_markup()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        string dump = HostileDump();
        IReadOnlyList<string> outputs = ExtensionLab.Shipped.Run(dump, "--dml", "!verdict", "!lockchain -all", "!verdict -stacks", "dx @$hang()[0].Claims",
            "@links");
        Assert.Contains("comment: &lt;link cmd=&quot;.shell x&quot;&gt;a&lt;/link&gt;?[31m", outputs[0], StringComparison.Ordinal);
        Assert.Contains("It spins in &lt;exec cmd=x&gt; and", outputs[0], StringComparison.Ordinal);
        Assert.Contains("It spins in &lt;exec cmd=x&gt; and", outputs[3], StringComparison.Ordinal);
        Assert.All(outputs.Take(4), o => Assert.DoesNotContain("<exec", o, StringComparison.Ordinal));
        Assert.All(outputs, o => Assert.DoesNotContain("\u001b", o, StringComparison.Ordinal));
        string[] links = [.. outputs.Take(4).SelectMany(o => Link().Matches(o)).Select(m => m.Groups[1].Value).Distinct()];
        Assert.True(links.Length > 5, string.Join('\n', links));
        Assert.All(links, l => Assert.Matches("^(~~\\[[0-9a-f]+\\][sk]|(dps|!cs) 0x[0-9a-f]+|lmvm [A-Za-z0-9_]+|!dumpext\\.[a-z]+ [0-9a-f]+)$", l));
        Assert.DoesNotMatch("(?m)^link .*: 0x[^0]", outputs[4]);
    }

    [SkippableFact]
    public void Without_links_the_same_stands_there_as_it_is()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        string shown = ExtensionLab.Shipped.Run(HostileDump(), "!verdict")[0];
        Assert.Contains("comment: <link cmd=\".shell x\">a</link>?[31m<exec", shown, StringComparison.Ordinal);
        Assert.Contains("It spins in <exec cmd=x> and", shown, StringComparison.Ordinal);
        Assert.DoesNotContain("\u001b", shown, StringComparison.Ordinal);
    }

    [SkippableFact]
    public void Path_longer_than_260_characters_is_read()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        string deep = Path.Combine(_directory, new string('a', 120), new string('ä', 100), new string('c', 100));
        Directory.CreateDirectory(deep);
        string dump = Path.Combine(deep, "hang.dmp");
        File.Copy(Fixture, dump);
        Assert.Contains("DUMP1001", ExtensionLab.Shipped.Run(dump, "!verdict")[0], StringComparison.Ordinal);
    }

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    private static string Fixture => Path.Combine(Repository.Root, "dumps-fixtures", "loader-exit.dmp");

    /// <summary>The fixture with a module name and a comment that are markup and an escape sequence, of the same lengths.</summary>
    private string HostileDump()
    {
        const string comment = "Fixture made by lab/fixtures/make.py from a full dump: images";
        byte[] bytes = File.ReadAllBytes(Fixture);
        Replace(bytes, "mathplug.dll", "<exec cmd=x>");
        Replace(bytes, comment, "<link cmd=\".shell x\">a</link>\u001b[31m<exec cmd=\".shell x\">b".PadRight(comment.Length));
        string dump = Path.Combine(_directory, "hostile.dmp");
        File.WriteAllBytes(dump, bytes);
        return dump;
    }

    private static void Replace(Span<byte> bytes, string old, string with)
    {
        byte[] wanted = Encoding.Unicode.GetBytes(old);
        int place = bytes.IndexOf(wanted);
        Assert.True(place >= 0, $"the fixture has no '{old}'");
        Assert.Equal(wanted.Length, Encoding.Unicode.GetByteCount(with));
        Encoding.Unicode.GetBytes(with, bytes[place..]);
    }

    [GeneratedRegex("<link cmd=\"([^\"]*)\">")]
    private static partial Regex Link();
}
