using System.Text;
using Dump.Analysis.Rules;
using Dump.Analysis.Rules.Tags;
using Dump.Model.Process;
using Dump.Model.Reported;

namespace Dump.Analysis.Tests;

/// <summary>Stack tags in the form of Windows Performance Analyzer: which frame gets which label, and which files are refused.</summary>
public sealed class StackTagsTests
{
    private const string Example = """
        <?xml version="1.0" encoding="utf-8"?>
        <Tag Name="">
          <Tag Name="Shop">
            <Tag Name="Database" Priority="2"><Entrypoint Module="shop.dll" Method="*Load*"/></Tag>
            <Tag Name="Other" Priority="-1"><Entrypoint Module="shop*.dll" Method="*"/></Tag>
            <Tag Name="One letter"><Entrypoint Module="shop.dll" Method="Sav?"/></Tag>
            <Tag Name="Managed"><Entrypoint Module="shop.dll" Method="Shop.Orders::Add*"/></Tag>
          </Tag>
          <HintTag Name="RPC" HintOperator="Callee"><Entrypoint Module="rpcrt4.dll" Method="Invoke"/></HintTag>
          <HintTag Name="Opens" HintOperator="Caller" OnlyShowModule="false"><Entrypoint Module="kernelbase.dll" Method="CreateFileW"/></HintTag>
        </Tag>
        """;

    [Theory]
    [InlineData("shop.dll", "Shop.Orders.Load", "Shop\\Database")]
    [InlineData("SHOP.DLL", "Shop.Orders.Load", "Shop\\Database")]
    [InlineData("shop.dll", "Save", "Shop\\One letter")]
    [InlineData("shop.dll", "Saved", "Shop\\Other")]
    [InlineData("shop.dll", "Sav", "Shop\\Other")]
    [InlineData("shop2.dll", null, "Shop\\Other")]
    [InlineData("shop.dll", "Shop.Orders.AddAll", "Shop\\Managed")]
    [InlineData("shop.exe", "Load", null)]
    [InlineData("theshop.dll", "Load", null)]
    [InlineData(null, "Load", null)]
    public void Frame_gets_the_tag_with_the_greatest_priority(string? module, string? function, string? tag) =>
        Assert.Equal(tag, Tags(StackTags.Read(Example), Frame(0, module, function))[0]);

    [Fact]
    public void Hint_names_the_neighbour_too()
    {
        StackTags tags = StackTags.Read(Example);
        Assert.Equal((List<string?>)[null, "RPC\\wbemcore.dll", "RPC", null],
            Tags(tags, Frame(0, "x.dll", "Run"), Frame(1, "wbemcore.dll", "GetObject"), Frame(2, "rpcrt4.dll", "Invoke"), Frame(3, "x.dll", "Loop")));
        Assert.Equal((List<string?>)["Opens", "Opens\\x.dll\\Run"], Tags(tags, Frame(0, "kernelbase.dll", "CreateFileW"), Frame(1, "x.dll", "Run")));

        // What is not next to it in the stack is no neighbour.
        Assert.Equal((List<string?>)[null, "RPC"], Tags(tags, Frame(0, "x.dll", "Run"), Frame(5, "rpcrt4.dll", "Invoke")));
    }

    [Fact]
    public void Stacks_tag_is_that_of_the_greatest_priority_and_then_the_innermost()
    {
        StackTags tags = StackTags.Read(Example);
        HangReport report = tags.Label(Report(Frame(0, "shop.dll", "Save"), Frame(1, "shop.dll", "Run"), Frame(2, "shop.dll", "Load"),
            Frame(3, "shop.dll", "Load") with { Trust = FrameTrust.Scan }));
        Assert.Equal(["Shop\\Database", "Shop\\One letter", "Shop\\Other"], tags.Summary(report.Focus!.Frames).ToArray());
    }

    [Fact]
    public void Snapshot_and_report_get_the_same_labels()
    {
        ProcessSnapshot snapshot = new SnapshotBuilder().Build();
        Assert.Equal(snapshot.Threads.Length, StackTags.Default.Label(snapshot).Threads.Length);
        StackFrame frame = new(1, 2, "ntdll.dll", 3, "RtlEnterCriticalSection", 4, FrameTrust.Context, SymbolSource.Export);
        ProcessSnapshot one = snapshot with { Threads = [new ThreadSnapshot { Id = 1, Index = 0, Stack = new ThreadStack([frame], StackEnd.Complete) }] };
        Assert.Equal("Wait\\Critical section", StackTags.Default.Label(one).Threads[0].Stack.Frames[0].Tag);
        Assert.Equal((List<string?>)["Wait\\Critical section"], Tags(StackTags.Default, Frame(0, "ntdll.dll", "RtlEnterCriticalSection")));
    }

    [Theory]
    [InlineData("ntdll.dll", "LdrShutdownThread", "Loader\\Thread ends (DLL callbacks)")]
    [InlineData("kernelbase.dll", "SwitchToThread", "Spin\\Yields")]
    [InlineData("System.Private.CoreLib.dll", "System.Collections.Generic.Dictionary<System.Int32,System.String>.FindValue", "Collection\\Dictionary")]
    [InlineData("System.Private.CoreLib.dll", "System.Threading.Monitor.Enter", "Wait\\.NET monitor")]
    [InlineData("System.Private.CoreLib.dll", "System.Threading.Monitor.Wait", "Wait\\.NET Monitor.Wait")]
    [InlineData("System.Private.CoreLib.dll", "System.Threading.SpinWait.SpinOnceCore", "Spin\\.NET SpinWait or SpinLock")]
    [InlineData("coreclr.dll", "WKS::gc_heap::garbage_collect", "Garbage collection\\Runs or waits for threads")]
    [InlineData("InProcessClient64.dll", null, "Security product\\SentinelOne")]
    [InlineData("shop.dll", "Shop.Run", null)]
    public void Built_in_tags_name_what_threads_do(string module, string? function, string? tag) =>
        Assert.Equal(tag, Tags(StackTags.Default, Frame(0, module, function))[0]);

    [Theory]
    [InlineData("", "not the XML")]
    [InlineData("<Tag Name='a'>", "not the XML")]
    [InlineData("<Tag Name='a'/><Tag Name='b'/>", "not the XML")]
    [InlineData("<Tag Name='a'/>", "no Tag with an Entrypoint")]
    [InlineData("<Tag Name=''><Entrypoint Module='a' Method='b'/></Tag>", "no Name")]
    [InlineData("<Tag Name='a'><Entrypoint Method='b'/></Tag>", "no Module")]
    [InlineData("<Tag Name='a'><Entrypoint Module='b'/></Tag>", "no Method")]
    [InlineData("<Tag Name='a' Priority='high'><Entrypoint Module='a' Method='b'/></Tag>", "Priority")]
    [InlineData("<HintTag Name='a'><Entrypoint Module='a' Method='b'/></HintTag>", "HintOperator")]
    [InlineData("<!DOCTYPE Tag [<!ENTITY a 'b'>]><Tag Name='&a;'><Entrypoint Module='a' Method='b'/></Tag>", "DTD")]
    [InlineData("<!DOCTYPE Tag SYSTEM 'file:///etc/passwd'><Tag Name='a'><Entrypoint Module='a' Method='b'/></Tag>", "DTD")]
    public void Wrong_file_is_refused(string xml, string expected) =>
        Assert.Contains(expected, Assert.Throws<InvalidRulesException>(() => StackTags.Read(xml)).Message, StringComparison.Ordinal);

    [Fact]
    public void Depth_and_number_have_limits()
    {
        string deep = string.Concat(Enumerable.Repeat("<Tag Name='a'>", 100_000));
        Assert.Contains("deep", Assert.Throws<InvalidRulesException>(() => StackTags.Read(deep)).Message, StringComparison.Ordinal);
        StringBuilder many = new("<Tag Name=''>");
        many.Insert(many.Length, "<Tag Name='a'><Entrypoint Module='a' Method='b'/></Tag>", 20_001).Append("</Tag>");
        Assert.Contains("more than", Assert.Throws<InvalidRulesException>(() => StackTags.Read(many.ToString())).Message, StringComparison.Ordinal);
    }

    /// <summary>Each of many small tags would bear the long names of all around it.</summary>
    [Fact]
    public void Long_names_do_not_multiply()
    {
        string around = string.Concat(Enumerable.Repeat($"<Tag Name=\"{new string('x', 500)}\">", 3));
        string inside = "<Tag Name=\"y\"><Entrypoint Module=\"a.dll\" Method=\"b\"/></Tag>";
        Assert.Contains("longer than 1024 characters",
            Assert.Throws<InvalidRulesException>(() => StackTags.Read(around + inside + "</Tag></Tag></Tag>")).Message, StringComparison.Ordinal);
        string shorter = around.Replace(new string('x', 500), new string('x', 300), StringComparison.Ordinal);
        Assert.EndsWith("\\y", Tags(StackTags.Read(shorter + inside + "</Tag></Tag></Tag>"), Frame(0, "a.dll", "b"))[0], StringComparison.Ordinal);
    }

    [Fact]
    public void Pattern_of_many_stars_takes_no_time()
    {
        StackTags tags = StackTags.Read($"<Tag Name='a'><Entrypoint Module='*' Method='{string.Concat(Enumerable.Repeat("*a", 200))}*b'/></Tag>");
        Assert.Null(Tags(tags, Frame(0, "x.dll", new string('a', 4_000)))[0]);
    }

    [Fact]
    public void Unknown_elements_and_attributes_are_passed_over() => Assert.Equal(
        "a", Tags(StackTags.Read(
            "<File><Note><b>c</b></Note><Tag Name='a' Colour='red'><Entrypoint Module='x.dll' Method='f' Kind='1'><Note/></Entrypoint></Tag></File>"),
            Frame(0, "x.dll", "f"))[0]);

    private static List<string?> Tags(StackTags tags, params ReportedFrame[] frames) => [.. tags.Label(Report(frames)).Focus!.Frames.Select(f => f.Tag)];

    private static HangReport Report(params ReportedFrame[] frames) =>
        new() { Source = new ReportedSource("a.dmp", "test", null, null, null), Focus = new ReportedFocus(1, "why", [.. frames]) };

    private static ReportedFrame Frame(int index, string? module, string? function) => new(index, module, function, 0, 0, FrameTrust.UnwindInfo);
}
