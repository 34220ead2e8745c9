using System.Runtime.Versioning;
using System.Text.Json;
using Dump.EndToEnd.Tests.Assistant;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Fixtures;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary><c>stackobjects</c> and <c>object</c> on a real core whose objects have known content (samples/managed, scene <c>objects</c>).</summary>
[SupportedOSPlatform("linux")]
public sealed class ManagedObjectTests : IClassFixture<ManagedObjectTests.Core>
{
    private readonly Core _core;

    public ManagedObjectTests(Core core)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        _core = core;
    }

    [SkippableFact]
    public void Fields_of_every_kind_are_read()
    {
        JsonElement order = Object(Order());
        Dictionary<string, string?> fields = order.Member("fields").EnumerateArray()
            .ToDictionary(f => f.Member("name").GetString()!, f => f.Member("value").GetString());
        Assert.Equal("-7", fields["Version"]);
        Assert.Equal("4711", fields["Number"]);
        Assert.Equal("true", fields["IsPaid"]);
        Assert.Equal("'B'", fields["Grade"]);
        Assert.Equal("1", fields["State"]);
        Assert.Equal("-3", fields["Place.X"]);
        Assert.Equal("2.5", fields["Place.Deep.Y"]);
        Assert.Equal("\"dock\"", fields["Place.Deep.Label"]);
        Assert.Equal("null", fields["Nothing"]);
        Assert.EndsWith(Order(), fields["Self"], StringComparison.Ordinal);
        Assert.StartsWith("\"Møller ", fields["Customer"], StringComparison.Ordinal);
        Assert.DoesNotContain('\u001b', fields["Customer"]!);
    }

    [SkippableFact]
    public void The_holder_of_the_monitor_is_named() => Assert.StartsWith(
        $"thread {_core.Dump.Thread("holder")},", Object(Order()).Member("monitorOwner").GetString(), StringComparison.Ordinal);

    [SkippableTheory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task An_assistant_gets_what_the_command_prints_and_strings_only_on_request(bool isAllowed)
    {
        FileInfo core = new(_core.Dump.Path);
        string order = Order();
        string text = DumpAnalyze.Run("object", core.FullName, order).Output;
        Assert.Contains("dock", text, StringComparison.Ordinal);
        await using AssistantServer server = await AssistantServer.StartAsync(core.DirectoryName!, isAllowed ? ["--allow-strings"] : []);
        string answer = AssistantServer.Document(await server.CallAsync("object", ("path", core.Name), ("address", order)));
        JsonElement label = AssistantServer.Json(await server.CallAsync("object", ("path", core.Name), ("address", order), ("format", "json")))
            .Member("fields").EnumerateArray().First(f => f.Member("name").GetString() == "Place.Deep.Label").Member("value");
        if (isAllowed)
        {
            Assert.Equal((text, "\"dock\""), (answer, label.GetString()));
            return;
        }

        Assert.Contains("4711", answer, StringComparison.Ordinal);
        Assert.Contains("(withheld)", answer, StringComparison.Ordinal);
        Assert.Contains("(withheld)", label.GetString(), StringComparison.Ordinal);
        Assert.All(["dock", "Møller"], s => Assert.DoesNotContain(s, answer, StringComparison.Ordinal));
    }

    [SkippableFact]
    public void Arrays_are_listed_up_to_the_limit()
    {
        Assert.Equal(["10", "20", "30"], Elements(Reference("Lines")).Select(e => e.Value));
        Assert.Equal(["\"first\"", "null"], Elements(Reference("Notes")).Select(e => e.Value));
        (JsonElement lines, (string?, string?)[] first) = (Object(Reference("Lines"), "--limit", "1"), Elements(Reference("Lines"), "--limit", "1"));
        Assert.Equal(3, lines.Member("count").GetInt32());
        Assert.Equal([(null, "10")], first);
    }

    [SkippableFact]
    public void A_dictionary_shows_its_entries_and_not_the_removed_ones()
    {
        Assert.Equal([("\"apples\"", "3"), ("\"plums\"", "5")], Elements(Reference("Stock")));
        Assert.Equal(2, Object(Reference("Stock")).Member("count").GetInt32());
        Assert.Equal([("101", null), ("202", null)], Elements(Reference("Seen")));
    }

    [SkippableFact]
    public void Text_for_people_follows_the_same_facts()
    {
        DumpAnalyze run = DumpAnalyze.Run("object", _core.Dump.Path, Order());
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        Assert.Matches(@"(?m)^  Number +=+ 4711  System\.Int32$", run.Output);
        Assert.DoesNotContain('\u001b', run.Output);
        DumpAnalyze stack = DumpAnalyze.Run("stackobjects", _core.Dump.Path, $"{_core.Dump.Thread("holder")}");
        Assert.Matches(@"(?m)^  Dump\.Samples\.Managed\.Scenes\.ObjectScenes\.Hold$", stack.Output);
    }

    [SkippableTheory]
    [InlineData("1234", 2, "there is no object at 0x1234")]
    [InlineData("0", 2, "there is no object at 0x0")]
    [InlineData("xyz", 2, "is not a valid address")]
    public void A_wrong_address_is_explained(string address, int exitCode, string reason)
    {
        DumpAnalyze run = DumpAnalyze.Run("object", _core.Dump.Path, address);
        Assert.Equal((exitCode, ""), (run.ExitCode, run.Output));
        Assert.Contains(reason, run.Error, StringComparison.Ordinal);
    }

    [SkippableFact]
    public void An_address_inside_of_an_object_is_no_object()
    {
        ulong inside = Convert.ToUInt64(Order(), 16) + 8;
        Assert.Equal(2, DumpAnalyze.Run("object", _core.Dump.Path, $"{inside:x}").ExitCode);
    }

    [SkippableFact]
    public void A_thread_without_managed_code_and_a_dump_without_runtime_are_told_apart()
    {
        DumpAnalyze thread = DumpAnalyze.Run("stackobjects", _core.Dump.Path, "1");
        Assert.Equal(2, thread.ExitCode);
        Assert.Contains("runs no managed code", thread.Error, StringComparison.Ordinal);
        DumpAnalyze native = DumpAnalyze.Run("stackobjects", Fixture.Named("cs-cycle2").Path, "1");
        Assert.Equal(13, native.ExitCode);
        Assert.Contains(".NET runtime", native.Error, StringComparison.Ordinal);
        Assert.Equal(2, DumpAnalyze.Run("object", "absent.dmp", "1234").ExitCode);
    }

    /// <summary>The document, which must follow the published schema.</summary>
    private static JsonElement Json(DumpAnalyze run)
    {
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        Assert.Empty(JsonSchemaCheck.Errors(run.Output));
        return JsonDocument.Parse(run.Output).RootElement;
    }

    private string Order() => Json(DumpAnalyze.Run("stackobjects", _core.Dump.Path, $"{_core.Dump.Thread("holder")}", "--format", "json"))
        .Member("objects").EnumerateArray()
        .First(o => o.Member("type").GetString()!.EndsWith("+Order", StringComparison.Ordinal)).Member("address").GetString()!;

    /// <summary>Address of the object that a field of the order refers to.</summary>
    private string Reference(string field) => Object(Order()).Member("fields").EnumerateArray()
        .First(f => f.Member("name").GetString() == field).Member("value").GetString()!.Split(' ')[^1];

    private JsonElement Object(string address, params string[] options) =>
        Json(DumpAnalyze.Run(["object", _core.Dump.Path, address, "--format", "json", .. options]));

    private (string? Key, string? Value)[] Elements(string address, params string[] options) =>
        [.. Object(address, options).Member("elements").EnumerateArray()
            .Select(e => (e.Member("key").GetString(), e.Member("value").GetString()))];

    /// <summary>One core for all tests of the class.</summary>
    public sealed class Core : IDisposable
    {
        private readonly LinuxLab _lab = new();
        private LabDump? _dump;

        public LabDump Dump => _dump ??= _lab.Dump("objects");

        public void Dispose() => _lab.Dispose();
    }
}
