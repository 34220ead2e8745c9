using System.Text;
using Dump.Analysis.Merging;
using Dump.Analysis.Rules;
using Dump.Analysis.Rules.Tags;
using Dump.Fuzz.Inputs;
using Dump.Fuzz.Oracles;
using Dump.Model.Process;
using Dump.Testing;

namespace Dump.Fuzz.Targets;

/// <summary>Lists that users bring: known modules, known issues, stack tags.</summary>
internal sealed class RulesTarget : FuzzTarget
{
    private static readonly ProcessSnapshot s_process = ManagedHalves.Native();
    private readonly JsonMutator _mutator;
    private readonly Sample[] _tags;

    public RulesTarget()
        : base("rules", "known modules, known issues, stack tags")
    {
        _mutator = new JsonMutator(("known modules", Text("known-modules.json")), ("known issues", Text("..", "Merging", "known-issues.json")));
        _tags = [Sample.Of("stack tags", Encoding.UTF8.GetBytes(Text("Tags", "default.stacktags")))];
    }

    /// <inheritdoc/>
    public override byte[] Input(Random random) => random.Next(3) == 0 ? Tags(random) : _mutator.Damage(random);

    // A small file of tags with many entries: 1 MB took 620 MB once.
    /// <inheritdoc/>
    public override long MostAllocated(int length) => (8L << 20) + 128L * length;

    /// <inheritdoc/>
    public override string Execute(byte[] input)
    {
        string text = Encoding.UTF8.GetString(input);
        return $"{Read(() => KnownModules.Default.With(text).Find("a.dll") is null ? 0 : 1)} {Read(() => KnownIssues.Default.With(text).All.Length)} {Read(() =>
            Label(StackTags.Read(text)))}";
    }

    /// <summary>Labels the frames of a process: patterns may be any.</summary>
    private static int Label(StackTags tags) => tags.Count + tags.Label(s_process).Threads.Sum(t => t.Stack.Frames.Count(f => f.Tag is not null));

    private static string Read(Func<int> read)
    {
        try
        {
            return $"{read()} entries";
        }
        catch (InvalidRulesException error)
        {
            return Oracle.IsSentence(error.Message);
        }
    }

    /// <summary>Elements of tags go, come twice or nest in each other; names and patterns are damaged as text.</summary>
    private byte[] Tags(Random random)
    {
        string text = Encoding.UTF8.GetString(ByteMutator.Damage(_tags, random));
        int at = text.IndexOf('<', random.Next(Math.Max(1, text.Length)));
        string piece = random.Next(5) switch
        {
            0 => string.Concat(Enumerable.Repeat("<Tag Name='a'>", 1 << random.Next(12))),
            1 => "<!DOCTYPE a [<!ENTITY b 'c'>]>",
            2 => string.Concat(Enumerable.Repeat("<Entrypoint Module='*' Method='*a*b*c*d*'/>", 1 << random.Next(8))),
            3 => "<![CDATA[\u202e]]>",
            _ => "",
        };
        return Encoding.UTF8.GetBytes(at < 0 ? text : text.Insert(at, piece));
    }

    private static string Text(params string[] path) =>
        File.ReadAllText(Path.Combine([Repository.Root, "analyzers", "Dump.Analysis", "Rules", .. path]));
}
