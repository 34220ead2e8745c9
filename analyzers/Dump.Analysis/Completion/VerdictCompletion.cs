using System.Collections.Immutable;
using System.Globalization;
using System.Text;
using Dump.Analysis.Detection;
using Dump.Analysis.Detectors;
using Dump.Analysis.Detectors.UserInterface;
using Dump.Analysis.Names;
using Dump.Analysis.Rules;
using Dump.Analysis.UserInterface;
using Dump.Model;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Model.Wording;

namespace Dump.Analysis.Completion;

/// <summary>
/// Adds to a verdict what is said of every verdict alike: whose the blamed module is, where to read the code, which windows hang for it, which COM apartments
/// take no calls, and what was loaded into the process from outside.
/// </summary>
internal static class VerdictCompletion
{
    /// <summary>Completes it. Neither confidence nor threads change.</summary>
    public static Verdict Complete(AnalysisContext context, DetectorDescriptor detector, Verdict verdict)
    {
        Verdict blaming = verdict with
        {
            Culprit = (verdict.Culprit ?? UiVictims.Culprit(context, verdict)) is { } culprit ? Describe(context.Snapshot, culprit) : null,
        };
        return blaming with
        {
            Stacks = [.. verdict.Stacks.Select(s => WithSuspension(context, s))],
            LookAt = detector.StandsApart ? verdict.LookAt : CodePlaces.Of(context, blaming, detector.IsLastResort),
            ProgramChain = ProgramChains.Of(context, verdict),
            Claims =
            [
                .. verdict.Claims,
                .. UiVictims.Claims(context, detector, verdict),
                .. ClosedApartments.Claims(context, verdict),
                .. InjectedModules.Claims(context, verdict),
            ],
        };
    }

    /// <summary>That somebody has suspended a thread stands beside its stack, whatever the verdict is about.</summary>
    private static StackExcerpt WithSuspension(AnalysisContext context, StackExcerpt stack) =>
        SuspensionWords.Of(context.Thread(stack.ThreadId)?.SuspendedAbove) is { } words ? stack with { Role = $"{stack.Role}; {words}" } : stack;

    /// <summary>Modules of one name need not be one file; where they differ nothing is said.</summary>
    private static Culprit Describe(ProcessSnapshot snapshot, Culprit culprit)
    {
        ImmutableArray<ModuleSnapshot> named = [.. snapshot.Modules.Where(m => m.Name.Equals(culprit.Module, StringComparison.OrdinalIgnoreCase))];
        return named.IsEmpty || named.Any(m => m.Version != named[0].Version || m.Vendor != named[0].Vendor) ? culprit
            : culprit with { Version = named[0].Version, Vendor = named[0].Vendor };
    }
}

/// <summary>Where to read the code of the threads that a verdict is about.</summary>
internal static class CodePlaces
{
    private const int Most = 8;

    /// <summary>
    /// One place for each of the verdict's first threads that runs code of the program's own and was followed there without guessing; a thread that runs
    /// nothing but
    /// code of packages comes behind the others.
    /// </summary>
    /// <param name="context">The facts.</param>
    /// <param name="verdict">The verdict.</param>
    /// <param name="withAwaits">
    /// True to add the awaits of the program's own that threads which block in tasks wait for in the end: where nothing else explains the hang, they are what
    /// does not go on.
    /// </param>
    public static ImmutableArray<CodePlace> Of(AnalysisContext context, Verdict verdict, bool withAwaits)
    {
        ImmutableArray<CodePlace> places = OfThreads(context, verdict);
        return !withAwaits ? places
            : [
                .. places,
                .. verdict.Threads.Distinct().Select(id => Innermost(context, id)).OfType<CodePlace>().Where(p => places.All(k => k.Text != p.Text)).Take(Most)
                    .Select(p => p with { IsAwaited = true }),
            ];
    }

    private static ImmutableArray<CodePlace> OfThreads(AnalysisContext context, Verdict verdict) =>
    [
        .. verdict.Threads.Distinct()
            .Select(id => (Id: id, Frame: context.ToRead(id)))
            .Where(t => t.Frame is not null && !IsTold(verdict.Culprit, t.Id, t.Frame))
            .OrderBy(t => context.Application.IsOfPackage(t.Frame!.Module))
            .Take(Most)
            .Select(t => Awaited(context, t.Id) ?? Of(t.Id, t.Frame!)),
    ];

    private static CodePlace Of(uint thread, StackFrame frame)
    {
        (string code, SourceLocation? source) = FrameWords.Own(frame);
        return new CodePlace(thread, code) { Source = source };
    }

    /// <summary>
    /// Where an asynchronous <c>Main</c> is: its thread only waits for its task, and the innermost await of the program's own methods behind that is the code.
    /// </summary>
    private static CodePlace? Awaited(AnalysisContext context, uint id) =>
        context.Thread(id) is { } thread && EntryMethod.IsInItself(context, thread) ? Innermost(context, id) : null;

    /// <summary>The innermost await of the program's own methods behind the task that a thread blocks in; null where none is known.</summary>
    private static CodePlace? Innermost(AnalysisContext context, uint id) =>
        context.Snapshot.TaskWaits.FirstOrDefault(w => w.ThreadId == id) is { } wait
            && wait.Steps.LastOrDefault(s => context.Snapshot.ModuleOf(s.Place?.Code) is { } module && context.Application.IsOfProject(module)) is { } step
            ? new CodePlace(id, FrameWords.Place(context.Snapshot.ModuleOf(step.Place?.Code), step.Description, null)) { Source = step.Source } : null;

    /// <summary>True when the line on the blamed module names the same function.</summary>
    private static bool IsTold(Culprit? culprit, uint thread, StackFrame frame) =>
        culprit is { Callback: { } callback } && culprit.ThreadId == thread && frame.Function is { } function
            && callback.EndsWith(" " + function, StringComparison.Ordinal);
}

/// <summary>Libraries on the stacks of a verdict that are known to be loaded into other people's processes.</summary>
internal static class InjectedModules
{
    /// <summary>One claim for each such library on the stacks that prove the verdict. A library that is merely loaded says nothing.</summary>
    public static IEnumerable<Claim> Claims(AnalysisContext context, Verdict verdict) =>
        from found in verdict.Stacks.SelectMany(s => Frames(context, s.ThreadId)).GroupBy(f => f.Known.File, StringComparer.Ordinal)
        let best = found.MaxBy(f => f.Frame.Trust)
        select new Claim(
            $"{best.Frame.Module} stands on the stack of {context.Names.Thread(best.Thread)}: by its name {KnownModules.Words(best.Known.Category)} "
                + $"({best.Known.Vendor}) that gets into other programs' processes.",
            best.Frame.Trust > FrameTrust.Scan ? Confidence.Likely : Confidence.Suspected,
            [
                new Evidence(EvidenceSource.Stack, UiSentences.Code(best.Frame)),
                new Evidence(EvidenceSource.Rule, $"listed by file name; source: {best.Known.Source}"),
            ]);

    private static IEnumerable<(uint Thread, StackFrame Frame, KnownModule Known)> Frames(AnalysisContext context, uint thread)
    {
        foreach (StackFrame frame in context.Thread(thread)?.Stack.Frames ?? [])
        {
            if (frame.Module is { } module && context.Options.KnownModules.Find(module) is { } known)
            {
                yield return (thread, frame, known);
            }
        }
    }
}

/// <summary>
/// What two dumps of one hang share beyond its signature: on each thread of the verdict the same functions of the program, from the innermost to the outermost. A
/// signature has a few of each thread's, which is enough to look at dumps together and too little to throw one away.
/// </summary>
internal static class ProgramChains
{
    private const int HashDigits = 32;

    /// <summary>
    /// A hash of the functions; null where they are not known whole: where a thread has no stack, one that ends too early or was searched, or none of the
    /// program's functions on it.
    /// </summary>
    /// <param name="context">The facts.</param>
    /// <param name="verdict">The verdict.</param>
    public static string? Of(AnalysisContext context, Verdict verdict)
    {
        string?[] threads = [.. verdict.Threads.Distinct().Select(t => Of(context, context.Thread(t)))];
        if (threads.Contains(null) || threads.Length + verdict.AsyncMethods.Length == 0)
        {
            return null;
        }

        // Neither ids nor the dump decide in which order the threads come.
        string text = string.Join('\n', threads.Order(StringComparer.Ordinal).Concat(verdict.AsyncMethods));
        return Convert.ToHexStringLower(Sha256.HashData(Encoding.UTF8.GetBytes(text)))[..HashDigits];
    }

    /// <summary>The program's functions of one thread, innermost first; null where they are not known.</summary>
    internal static string? Of(AnalysisContext context, ThreadSnapshot? thread)
    {
        if (thread is not { Stack: { End: StackEnd.Complete } stack } || stack.Frames.Any(f => f.Trust == FrameTrust.Scan))
        {
            return null;
        }

        string[] functions = [.. stack.Frames.Where(f => context.Application.Contains(f) && !LibraryCode.Contains(f)).SelectMany(Functions)];
        return functions.Length == 0 ? null : string.Join(" < ", functions);
    }

    /// <summary>
    /// The functions as their build names them: two lambdas of one method are two functions, and so are two methods of one name, which the metadata tell by
    /// their
    /// tokens. Another build may number them in another way; then a dump too many stays.
    /// </summary>
    private static IEnumerable<string> Functions(StackFrame frame)
    {
        string module = ModuleNames.Normal(frame.Module!);
        foreach (InlinedCall inlined in frame.Inlined)
        {
            yield return $"{module}!{inlined.Function}";
        }

        if (!LibraryCode.IsFunctionOf(frame))
        {
            string token = frame.Code is { MethodToken: var number } ? string.Create(CultureInfo.InvariantCulture, $" 0x{number:x}") : "";
            yield return frame.Function is { } function ? $"{module}!{function}{token}"
                : string.Create(CultureInfo.InvariantCulture, $"{module}+0x{frame.ModuleOffset:x}");
        }
    }
}

/// <summary>Which user-interface threads a verdict of another kind holds up: what the user sees of a deadlock.</summary>
internal static class UiVictims
{
    /// <summary>The handler of the only user-interface thread that takes part in the verdict, or null.</summary>
    public static Culprit? Culprit(AnalysisContext context, Verdict verdict) =>
        context.UiThreads.Where(u => u.State == UiThreadState.Handling && verdict.Threads.Contains(u.Thread.Id)).ToArray() is [var ui]
            ? UiVerdicts.Culprit(ui)
            : null;

    /// <summary>
    /// One claim for each thread inside a message handler that takes part in the verdict or waits behind it, except for the one that the verdict is about.
    /// </summary>
    public static IEnumerable<Claim> Claims(AnalysisContext context, DetectorDescriptor detector, Verdict verdict)
    {
        uint? subject = detector.Family == DetectorFamily.Ui ? verdict.Threads[0] : null;
        return context.UiThreads.Where(u => u.State == UiThreadState.Handling && u.Thread.Id != subject)
            .Select(u => Claim(context, verdict, u)).OfType<Claim>();
    }

    private static Claim? Claim(AnalysisContext context, Verdict verdict, UiThread ui)
    {
        uint id = ui.Thread.Id;
        bool takesPart = verdict.Threads.Contains(id);
        if (!takesPart && !verdict.Victims.Any(g => g.ThreadIds.Contains(id)))
        {
            return null;
        }

        Grade grade = takesPart ? ui.Grade : (Grade)Math.Min((int)ui.Grade, (int)Behind(context, verdict, id));
        Confidence confidence = VerdictParts.Confidence(grade) is var own && own < verdict.Confidence ? own : verdict.Confidence;
        string part = takesPart ? "" : ", behind it,";
        return new Claim(
            $"{context.Names.ThreadCapitalised(id)}{part} {UiSentences.IsInHandler(ui)}: "
                + $"{UiSentences.Reach(ui, context.Graph.WaitsOf(id).Any(w => w.Resource.Kind == ResourceKind.WindowMessage))}",
            confidence,
            [new Evidence(EvidenceSource.Stack, UiSentences.Place(ui))]);
    }

    /// <summary>How surely the thread waits for one of the verdict's.</summary>
    private static Grade Behind(AnalysisContext context, Verdict verdict, uint thread) =>
        context.Graph.WaitersBehind(verdict.Threads, Grade.Proven).Contains(thread) ? Grade.Proven
        : context.Graph.WaitersBehind(verdict.Threads, Grade.Derived).Contains(thread) ? Grade.Derived
        : Grade.Suspected;
}
