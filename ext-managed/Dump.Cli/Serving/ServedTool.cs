using System.Collections.Immutable;
using System.Globalization;
using Dump.Cli.Options;
using Dump.Model.Contract;

namespace Dump.Cli.Serving;

/// <summary>A question that the server answers by a command of this program.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Title">Its name for people.</param>
/// <param name="Description">What it answers, for the model that chooses it.</param>
/// <param name="Parameters">What it takes.</param>
/// <param name="CommandLine">Makes the command line of what was given, with the files of it found below the served folders.</param>
internal sealed record ServedTool(
    string Name, string Title, string Description, ImmutableArray<ToolParameter> Parameters,
    Func<ToolArguments, ServedFolders, IEnumerable<string>> CommandLine)
{
    /// <summary>True when its exit code is that of a verdict.</summary>
    public bool Judges { get; init; }

    /// <summary>True where the answer is this program's own text, and holds nothing of a dump.</summary>
    public bool IsOwnText { get; init; }
}

/// <summary>The tools of the server. Each is a command of this program, so that an assistant reads what a person reads.</summary>
internal static class ServedTools
{
    /// <summary>Name of the parameter for the line that a text begins with.</summary>
    public const string FromLine = "from_line";

    /// <summary>Name of the parameter for one list of a JSON document.</summary>
    public const string List = "list";

    /// <summary>Name of the parameter for the first element of that list.</summary>
    public const string From = "from";

    /// <summary>Name of the parameter for the form of the answer.</summary>
    public const string Format = "format";

    /// <summary>The word for JSON.</summary>
    public const string Json = "json";

    private const string Path = "path";
    private const string Later = "later";

    private static readonly ToolParameter s_file = new(Path, ParameterKind.Text,
        "The dump: absolute, or relative to a folder of this server. A Windows minidump or a Linux core, also inside a zip archive or packed by gzip.")
    {
        IsRequired = true,
    };

    private static readonly ToolParameter s_later = new(Later, ParameterKind.Texts,
        "Later dumps of the same process, at most 15: the answer then says what has not moved in between.");

    private static readonly ToolParameter s_fromLine = new(FromLine, ParameterKind.Number,
        "Of a long text: the line to begin with, from 1 on. An answer that was cut names it.")
    {
        Least = 1,
    };

    private static readonly ImmutableArray<ToolParameter> s_form =
    [
        new(Format, ParameterKind.Text, "text (default) or json, as docs/json-schema.md describes it.") { Words = ["text", Json] },
        s_fromLine,
        new(List, ParameterKind.Text, "For a long JSON document: return only this top-level list. An answer that was cut names it."),
        new(From, ParameterKind.Number, "Together with list: the first of its elements to send, from 0 on."),
    ];

    /// <summary>All tools.</summary>
    /// <param name="reading">How dumps are read, as the server was told at its start.</param>
    public static ImmutableArray<ServedTool> All(ReadingArguments reading) =>
    [
        new("verdict", "Why does the process hang",
            "Says why a process hangs or crashed, from its dump: the verdict with confidence and evidence, the threads and the code to look at, what to do, "
                + "and what the dump cannot answer. Ask this first.",
            [s_file, s_later, Word(
                "detail",
                "brief: the sentences of the verdict alone; evidence (default): with the stacks that prove it; all: with all stacks.",
                "brief", "evidence", "all"),
                new("only", ParameterKind.Text, "Detectors to ask alone, by id or family (lock), separated by commas."), .. s_form],
            (given, folders) => [.. Form(given), .. Detail(given), .. Given("--only", given.Text("only")), .. reading.WithSymbols, .. Files(given, folders)])
        {
            Judges = true,
        },
        new("lockchain", "Who waits for whom", "Follows what threads wait for: the lock or object, who holds it, what that thread waits for, and so on.",
            [s_file, new("thread", ParameterKind.Text, "Follow only this thread, by its number or id as other answers print them: 1, 0xc4 or 4711."), .. s_form],
            (given, folders) =>
                ["lockchain", .. Form(given), .. Given("--thread", given.Text("thread")), .. reading.WithSymbols, .. Files(given, folders)]),
        new("threads", "Threads and stacks", "Lists all threads with stacks, CPU times and waits; identical stacks once.",
            [s_file, Word("sort", "dump (default): as the dump lists them; cpu: by CPU time, the most first.", "dump", "cpu"),
                new("tree", ParameterKind.Flag, "Merge all stacks from their outermost frames on. Shorter where there are many threads."), .. s_form],
            (given, folders) => ["threads", .. Form(given), .. Given("--sort", given.Text("sort")), .. given.Flag("tree") ? ["--tree"] : (string[])[],
                .. reading.WithSymbols, .. Files(given, folders)]),
        new("tasks", "Pending async methods", "Lists the pending async methods of a .NET process by their chains of awaits, equal ones once with their number.",
            [s_file, .. s_form], (given, folders) => ["tasks", .. Form(given), .. reading.OfTasks, .. Files(given, folders)]),
        new("requests", "Requests in flight", "Lists the HTTP requests that a .NET server is serving, and the HTTP requests and commands to PostgreSQL that it has sent, by route, "
                + "the method and line that they wait in, and what they wait for. Paths, queries and texts of commands are left out.",
            [s_file, new("all", ParameterKind.Flag, "List each request below its group."), .. s_form],
            (given, folders) => ["requests", .. Form(given), .. given.Flag("all") ? ["--all"] : (string[])[], .. reading.OfTasks, .. Files(given, folders)]),
        new("object", "One managed object", "Shows a .NET object: its type, fields, elements or entries, and who holds its monitor.",
            [s_file, new("address", ParameterKind.Text, "Its address as other answers print it: 0x7fd8f980c378.") { IsRequired = true },
                new("limit", ParameterKind.Number, "Most elements or entries to show (default 64)."), .. s_form],
            (given, folders) =>
                ["object", .. Form(given), .. Given("--limit", given.Number("limit")?.ToString(CultureInfo.InvariantCulture)),
                .. reading.OfObjects, .. Files(given, folders), given.Text("address")!]),
        new("stackobjects", "Objects of one stack", "Lists the .NET objects that a thread's stack and registers refer to, innermost frame first.",
            [s_file, new("thread", ParameterKind.Text, "The thread, by its number or id as other answers print them: 1, 0xc4 or 4711.") { IsRequired = true }, .. s_form],
            (given, folders) => ["stackobjects", .. Form(given), .. reading.OfObjects, .. Files(given, folders), given.Text("thread")!]),
        new("dictloop", "Broken collections", "Finds .NET collections that unsynchronized writes have broken, so that a search may never end: those that threads use, "
                + "all of the heap, or one.",
            [s_file, new("address", ParameterKind.Text, "Check only the collection at this address: 0x7fd8f980c378."),
                new("heap", ParameterKind.Flag, "Check every collection of the managed heap."), .. s_form],
            (given, folders) => ["dictloop", .. Form(given), .. given.Flag("heap") ? ["--heap"] : (string[])[], .. reading.OfTasks, .. Files(given, folders),
                .. given.Text("address") is { } address ? [address] : (string[])[]])
        {
            Judges = true,
        },
        new("explain", "What a verdict means", "Prints the page on a detector: what it finds, on what evidence, what it may get wrong, and how to fix such a hang.",
            [new("id", ParameterKind.Text, $"Its id as a verdict prints it, such as {DetectorIds.CannotAnswer}.") { IsRequired = true }, s_fromLine],
            (given, _) => ["explain", "--", given.Text("id")!]) { IsOwnText = true },
        new("locks", "Locks with owners and waiters", "Lists the locks that are held or waited for, with owner and waiters, the most contended first.",
            [s_file, s_later, .. s_form], (given, folders) => ["locks", .. Form(given), .. reading.WithSymbols, .. Files(given, folders)]),
        new("triage_overview", "Overview of many dumps", "Sums up what 'dumpanalyze triage DIR --out OUT' has found in a folder of dumps: each hang once, with "
            + "number, dates and an example; then what could not be decided. Reads records, no dumps.",
            [new(Path, ParameterKind.Text, "The folder OUT that dumpanalyze triage wrote: absolute, or relative to a folder of this server.")
                {
                    IsRequired = true,
                },
                s_fromLine],
            (given, folders) => ["merge", "--", folders.Records(given.Text(Path)!)]) { Judges = true },
    ];

    private static ToolParameter Word(string name, string description, params string[] words) =>
        new(name, ParameterKind.Text, description) { Words = [.. words] };

    // A value stands behind its option's equals sign, and files behind "--": nothing that a model writes becomes an option.
    private static string[] Given(string option, string? value) => value is null ? [] : [$"{option}={value}"];

    private static string[] Form(ToolArguments given) => Given("--format", given.Text(Format) ?? "text");

    private static string[] Detail(ToolArguments given) => given.Text("detail") switch
    {
        "brief" when given.Text(Format) == Json => throw new RefusedRequestException("detail brief is for text; leave out one of both"),
        "brief" => ["--brief"],
        { } stacks => [$"--stacks={stacks}"],
        _ => [],
    };

    private static IEnumerable<string> Files(ToolArguments given, ServedFolders folders) =>
        given.Texts(Later).Select(folders.File).Prepend(folders.File(given.Text(Path)!)).Prepend("--");
}

/// <summary>What a parameter of a tool takes.</summary>
internal enum ParameterKind
{
    /// <summary>Text.</summary>
    Text,

    /// <summary>A list of texts.</summary>
    Texts,

    /// <summary>A whole number from 0 on.</summary>
    Number,

    /// <summary>Yes or no.</summary>
    Flag,
}
