using System.Diagnostics;
using System.Globalization;
using System.Text.RegularExpressions;
using Dump.Benchmarks.Heap;
using Dump.Testing;
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Parsers;
using Microsoft.Diagnostics.Tracing.Parsers.Clr;

namespace Dump.Benchmarks.Start;

/// <summary>
/// Writes <c>packaging/start-methods.txt</c>: the methods that the composite image still compiles at run time, so that the next archives for musl and Windows
/// hold them compiled.
/// Their types are those of the runtime's events; the type arguments of methods, which events leave out, are those of the just-in-time compiler's list.
/// </summary>
internal static partial class MethodList
{
    private const int ThreadsOfCore = 10;
    private const string FixtureFolder = "dumps-fixtures";

    /// <summary>The events' rundown left out: the loading of modules (8) and the compiling of methods (10), each with names.</summary>
    private const string Events = "Microsoft-Windows-DotNETRuntime:0x18:5";

    private static readonly Dictionary<string, string> s_primitives = new(StringComparer.Ordinal)
    {
        ["bool"] = "System.Boolean", ["char"] = "System.Char", ["sbyte"] = "System.SByte", ["byte"] = "System.Byte", ["short"] = "System.Int16",
        ["ushort"] = "System.UInt16", ["int"] = "System.Int32", ["uint"] = "System.UInt32", ["long"] = "System.Int64", ["ulong"] = "System.UInt64",
        ["nint"] = "System.IntPtr", ["nuint"] = "System.UIntPtr", ["float"] = "System.Single", ["double"] = "System.Double",
    };

    /// <summary>Adds to a list what a program compiles when it does what it is there for.</summary>
    /// <param name="program">The path of <c>dumpanalyze</c>, published by the profile <c>composite-linux-x64</c> without the list or with it.</param>
    /// <param name="list">The file; its lines are kept.</param>
    public static int Write(string program, string list)
    {
        using Workspace workspace = new();
        string core = HeapCore.Make(["thread-program", ThreadsOfCore.ToString(CultureInfo.InvariantCulture)], Path.Combine(workspace.Folder, "threads.core"));
        string[] dumps = [.. Directory.EnumerateFiles(Path.Combine(Repository.Root, FixtureFolder), "*.dmp").Order(StringComparer.Ordinal), core];
        SortedSet<string> methods = new(File.Exists(list) ? File.ReadAllLines(list) : [], StringComparer.Ordinal);

        // The look is at this process itself, which is one of .NET with few threads.
        string[][] commands =
        [
            .. dumps.SelectMany(d => (string[][])[[program, d], [program, d, "--format", "json"]]),
            [program, core, "--stacks", "all"],
            [program, "live", $"{Environment.ProcessId}", "--interval", "100ms"],
            [program, "triage", Path.Combine(Repository.Root, FixtureFolder), "--out", Path.Combine(workspace.Folder, "records")],
        ];
        foreach (string[] command in commands)
        {
            int before = methods.Count;
            methods.UnionWith(Compiled(workspace.Folder, command));
            Console.Error.WriteLine($"{string.Join(' ', command.Skip(1))}: {methods.Count - before} new methods");
        }

        File.WriteAllLines(list, methods);
        Console.WriteLine($"{methods.Count} methods in {list}");
        return 0;
    }

    private static IEnumerable<string> Compiled(string folder, string[] command)
    {
        string trace = Path.Combine(folder, $"{Guid.NewGuid():N}.{{pid}}.nettrace");
        string compiled = Path.Combine(folder, $"{Guid.NewGuid():N}.txt");
        ProcessStartInfo start = new(command[0], command[1..]) { RedirectStandardOutput = true, RedirectStandardError = true };
        start.Environment["DOTNET_EnableEventPipe"] = "1";
        start.Environment["DOTNET_EventPipeConfig"] = Events;
        start.Environment["DOTNET_EventPipeOutputPath"] = trace;
        start.Environment["DOTNET_JitStdOutFile"] = compiled;
        start.Environment["DOTNET_JitDisasmSummary"] = "1";
        using Process process = Process.Start(start) ?? throw new InvalidOperationException($"{command[0]} did not start.");
        Task<string> errors = process.StandardError.ReadToEndAsync();
        process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        errors.Wait();
        HashSet<string> methods = [];
        Dictionary<string, string> generic = new(StringComparer.Ordinal);
        foreach (string file in Directory.EnumerateFiles(folder, "*.nettrace"))
        {
            Read(file, methods, generic);
            File.Delete(file);
        }

        methods.UnionWith(File.Exists(compiled) ? File.ReadLines(compiled).Select(l => OfCompiler(l, generic)).OfType<string>() : []);
        return methods;
    }

    /// <summary>Methods without type arguments of their own go to one set; of the others the assembly is noted by type and name.</summary>
    private static void Read(string trace, HashSet<string> methods, Dictionary<string, string> generic)
    {
        Dictionary<long, string> modules = [];
        using EventPipeEventSource source = new(trace);
        ClrTraceEventParser clr = source.Clr;
        clr.LoaderModuleLoad += e => modules[e.ModuleID] = Path.GetFileNameWithoutExtension(e.ModuleILPath);
        clr.MethodLoadVerbose += e =>
        {
            if (!e.IsJitted || e.IsDynamic || !modules.TryGetValue(e.ModuleID, out string? assembly))
            {
                return;
            }

            if (e.MethodSignature.Contains("generic ", StringComparison.Ordinal))
            {
                generic[$"{e.MethodNamespace.Split('[')[0]}:{e.MethodName}"] = assembly;
            }
            else
            {
                methods.Add($"{assembly}!{e.MethodNamespace}::{e.MethodName}/{Parameters(e.MethodSignature)}");
            }
        };
        try
        {
            source.Process();
        }
        catch (FormatException)
        {
            // Workers are ended, which cuts their traces; what stands before the cut counts.
        }
    }

    /// <summary>A method with type arguments as the compiler's list names it; null for others.</summary>
    private static string? OfCompiler(string line, Dictionary<string, string> assemblies)
    {
        if (Generic().Match(line) is not { Success: true } match
            || !assemblies.TryGetValue($"{match.Groups["type"].Value.Split('[')[0]}:{match.Groups["name"].Value}", out string? assembly))
        {
            return null;
        }

        string method = $"{match.Groups["name"].Value}{Named(match.Groups["arguments"].Value)}/{Parameters(match.Groups["parameters"].Value)}";
        return $"{assembly}!{Named(match.Groups["type"].Value)}::{method}";
    }

    private static string Named(string name) => Word().Replace(name, word => s_primitives.GetValueOrDefault(word.Value, word.Value));

    /// <summary>Counts what stands in the last parentheses.</summary>
    private static int Parameters(string signature)
    {
        int depth = 0;
        int commas = 0;
        int at = signature.Length - 1;
        for (; at >= 0; at--)
        {
            char c = signature[at];
            depth += c is ')' or ']' or '>' ? 1 : c is '(' or '[' or '<' ? -1 : 0;
            commas += c == ',' && depth == 1 ? 1 : 0;
            if (c == '(' && depth == 0)
            {
                break;
            }
        }

        return at < 0 || signature[(at + 1)..].TrimEnd(')').Length == 0 ? 0 : commas + 1;
    }

    [GeneratedRegex(@"^\s*\d+: JIT compiled (?<type>[^:]+):(?<name>[^:\[\(]+)(?<arguments>\[.+?\])(?<parameters>\(.*\)) \[(?:Tier0|FullOpts|Tier-0)")]
    private static partial Regex Generic();

    [GeneratedRegex(@"(?<=[\[,])[a-z]+(?=[\],\[])")]
    private static partial Regex Word();
}
