using System.Globalization;
using Dump.Model.Managed;
using Dump.Model.Reported;
using Dump.Model.Text;
using Dump.Model.Wording;

namespace Dump.Reports;

/// <summary>The requests that a process serves and sends as text: a line for those at the same place.</summary>
public static class RequestsReport
{
    private const int MostThreads = 8;
    private const int MostShown = 200;
    private const int MostInVerdict = 8;
    private const string Withheld = "Paths, queries and texts of commands are withheld. --show-values prints them.";

    /// <summary>Writes them for people.</summary>
    public static void Write(RequestDocument document, TextWriter output, TextStyle style)
    {
        SourceHead.Write(document, output, style);
        if (document.Found is null)
        {
            output.WriteLine(style.Warning(document.Missing.IsEmpty ? "No .NET runtime was found in this process: there are no requests to look for."
                : "Requests could not be searched for."));
            FactsFooter.Write(document, output, style);
            return;
        }

        if (Summary(document) is { Length: > 0 } summary)
        {
            output.WriteLine(summary);
        }

        foreach (RequestLibrary library in document.Libraries.Where(l => l.Gap != RequestGap.None))
        {
            output.WriteLine(style.Warning(NotRead(library)));
        }

        ThreadNames threads = new(document);
        RequestKind? kind = null;
        foreach (RequestGroup group in document.Groups.Take(MostShown))
        {
            if (kind != group.Kind)
            {
                output.WriteLine();
                kind = group.Kind;
            }

            Write(group, threads, output, style);
        }

        if (document.Groups.Length > MostShown)
        {
            output.WriteLine(Left(document.Groups.Length - MostShown, "more group"));
        }

        if (document.LeftOut > 0)
        {
            output.WriteLine(Left(document.LeftOut, "more request"));
        }

        ListedRequest[] listed = [.. document.Groups.SelectMany(g => g.Requests)];
        if (listed.Length > 0 && listed.All(r => r is { Path: null, Query: null, Text: null }))
        {
            output.WriteLine();
            output.WriteLine(Withheld);
        }

        FactsFooter.Write(document, output, style);
    }

    /// <summary>A sentence for each kind of which the process has the library, and that it serves nothing where it has no server.</summary>
    private static string Summary(RequestDocument document)
    {
        string limits = document.IsUndecidable ? ", as far as the heap could be read" : "";
        RequestLibrary? server = document.Libraries.FirstOrDefault(l => l.Kind == RequestKind.Served);
        IEnumerable<string> sentences = document.Libraries.Where(l => l.Gap == RequestGap.None).Select(l => l.Kind).Select(kind =>
        {
            RequestGroup[] groups = [.. document.Groups.Where(g => g.Kind == kind)];
            long count = groups.Sum(g => g.Count);
            return count == 0 ? $"No {Noun(kind, 1)}{To(kind)} is in flight{limits}."
                : string.Create(CultureInfo.InvariantCulture, $"{count:N0} {Noun(kind, count)}{To(kind)} {(count == 1 ? "is" : "are")} in flight in ")
                    + $"{CountText.Grouped(groups.Length, "group")}{limits}.";
        });
        return string.Join(' ', server is not null ? sentences
            : sentences.Prepend("This process serves no requests: the server of ASP.NET Core (Kestrel) is not loaded."));
    }

    private static string To(RequestKind kind) => kind == RequestKind.Served ? " to this server" : "";

    private static string Left(long count, string noun) => $"{CountText.Grouped(count, noun)} {(count == 1 ? "is" : "are")} not shown.";

    private static string NotRead(RequestLibrary library) => $"The requests of {library.Name} {library.Version ?? "of unknown version"} were not read: "
        + (library.Gap == RequestGap.FieldsMissing ? "its objects lack fields that they should have." : "its objects were not checked on this version.");

    private static void Write(RequestGroup group, ThreadNames threads, TextWriter output, TextStyle style)
    {
        string count = string.Create(CultureInfo.InvariantCulture, $"{group.Count,9:N0} ");
        output.WriteLine($"{style.Heading(count)}{Line(group, threads)}");
        string indent = new(' ', count.Length);
        if (Gone(group) is { } gone)
        {
            output.WriteLine($"{indent}{style.Warning(gone)}");
        }

        foreach (ListedRequest request in group.Requests)
        {
            output.WriteLine($"{indent}{Listed(request, threads)}");
        }
    }

    /// <summary>The groups of a verdict, a sentence each; of many the first few, and how many there are.</summary>
    internal static IEnumerable<string> Lines(HangReport report)
    {
        ThreadNames threads = new(report);
        int more = report.Requests.Length - MostInVerdict;
        return report.Requests.Take(more == 1 ? MostInVerdict + 1 : MostInVerdict)
            .Select(g => string.Create(CultureInfo.InvariantCulture, $"{g.Count:N0} {Line(g, threads)}.{(Gone(g) is { } gone ? $" {gone}" : "")}"))
            .Concat(more > 1 ? [$"{CountText.Grouped(more, "further group")}: dumpanalyze requests shows them."] : []);
    }

    private static string Line(RequestGroup group, ThreadNames threads) => $"{Noun(group.Kind, group.Count)} {What(group)} {Does(group, threads)}{Age(group)}";

    private static string? Gone(RequestGroup group)
    {
        string whose = group.Count == 1 ? "Its client has" : group.ClientsGone == 1 ? "The client of 1 of them has"
            : string.Create(CultureInfo.InvariantCulture, $"The clients of {group.ClientsGone:N0} of them have");
        return group.ClientsGone > 0 ? $"{whose} closed the connection." : null;
    }

    private static string Noun(RequestKind kind, long count) => kind switch
    {
        RequestKind.Served => "request",
        RequestKind.Sent => "outgoing request",
        _ => "database command",
    } + (count == 1 ? "" : "s");

    private static string What(RequestGroup group) => group.Kind == RequestKind.Served
        ? $"{group.Method ?? "of an unknown method"} {group.Route ?? "without a route"}"
        : $"{(group.Method is { } method ? $"{method} " : "")}to {RequestInFlight.PlaceOf(group.Host, group.Port, group.Database) ?? "an unknown host"}";

    private static string Does(RequestGroup group, ThreadNames threads)
    {
        string s = group.Count == 1 ? "s" : "";
        string code = group.WaitsIn is { } method ? $" {(group.Kind == RequestKind.Served ? "in" : "from")} {method}{FrameWords.Source(group.Source)}" : "";
        string keeps = threads.Some(group.Threads, MostThreads);
        return group.State switch
        {
            RequestState.Waits when group.Kind == RequestKind.Served => $"wait{s}{code}{For(group)}",
            RequestState.Waits => $"{code.TrimStart()}{(code.Length > 0 ? " " : "")}wait{s}{For(group)}{(group.Threads.IsEmpty ? "" : $" and block{s} {keeps}")}",
            RequestState.Blocks => $"block{s} {keeps}{code}{For(group)}",
            RequestState.Runs => $"run{s}{(group.Threads.IsEmpty ? "" : $" on {keeps}")}{code}",
            RequestState.Queued => $"wait{s}{code} for a thread to continue",
            _ => $"{(group.Count == 1 ? "is" : "are")} in flight{code}{(group.Threads.IsEmpty ? "" : $" on {keeps}")}, and what {(group.Count == 1 ? "it waits" : "they wait")} for is unknown",
        };
    }

    private static string For(RequestGroup group)
    {
        string place = (group.Objects, group.Object) switch
        {
            (_, { } only) => $" 0x{only:x}",
            ( > 1, _) => string.Create(CultureInfo.InvariantCulture, $" ({group.Objects:N0} different)"),
            _ => "",
        };
        return group.WaitsFor is { } what ? $" for {what}{place}{(group.ObjectState is { } state ? $" ({state})" : "")}" : "";
    }

    /// <summary>How old the oldest is; since when, where the file does not tell when it was written; nothing, where the process does not tell either.</summary>
    private static string Age(RequestGroup group)
    {
        string? age = group.OldestMilliseconds is { } time ? $"for {Naming.Duration(TimeSpan.FromMilliseconds(time))}"
            : ReportWords.Time(group.Oldest) is { } start ? $"since {start}" : null;
        return age is null ? "" : $", {(group.Count == 1 ? "" : "the oldest ")}{age}";
    }

    private static string Listed(ListedRequest request, ThreadNames threads)
    {
        string?[] parts =
        [
            $"0x{request.Address:x}",
            request.Protocol,
            request.Connection is { } connection ? $"connection {connection}" : null,
            request.Started is { } started ? $"since {ReportWords.Time(started)}" : null,
            request.Thread is { } thread ? threads.Full(thread) : null,
            request.Object is { } target ? $"waits for 0x{target:x}" : null,
            request.ClientIsGone == true ? "its client has closed the connection" : null,
            request.Path is { } path ? $"path {path}{request.Query}" : request.Query,
            request.Text is { } text ? $"text {text}" : null,
        ];
        return string.Join(", ", parts.OfType<string>());
    }
}
