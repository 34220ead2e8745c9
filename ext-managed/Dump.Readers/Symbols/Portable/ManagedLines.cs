using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Text.Json;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Readers.Cabinets;
using Dump.Readers.Files;
using Dump.Readers.Stores;

namespace Dump.Readers.Symbols.Portable;

/// <summary>
/// Adds files and lines to the managed frames and pending async methods of a snapshot, and to its modules whether they come from packages. Nothing else of it
/// changes but the list of problems, and without a place in managed code nothing is opened.
/// </summary>
public sealed class ManagedLines
{
    private readonly ImmutableArray<ManagedModule> _modules;
    private readonly PortablePdbs _pdbs;
    private readonly CancellationToken _cancellation;
    private readonly Dictionary<(MethodPlace Code, int? State), SourceLocation?> _known = [];

    /// <summary>Prepares the search.</summary>
    /// <param name="modules">Modules by their index in the places of a snapshot.</param>
    /// <param name="pdbs">Their PDBs.</param>
    /// <param name="cancellation">Ends the search early.</param>
    internal ManagedLines(ImmutableArray<ManagedModule> modules, PortablePdbs pdbs, CancellationToken cancellation)
    {
        _modules = modules;
        _pdbs = pdbs;
        _cancellation = cancellation;
    }

    /// <summary>Adds them where PDBs are found.</summary>
    /// <param name="snapshot">The snapshot.</param>
    /// <param name="path">The symbol path.</param>
    /// <param name="memory">Memory of the process, which may have PDBs inside of its modules; null when it is not at hand any more.</param>
    /// <param name="files">Where the files lie that the process names; null for this machine.</param>
    /// <param name="cabinets">Unpacks compressed files of symbol stores; null for the reader of every system.</param>
    /// <param name="cancellation">Ends the search early.</param>
    public static ProcessSnapshot Add(
        ProcessSnapshot snapshot, SymbolSearchPath path, IMemory? memory, ProcessFiles? files = null, ICabinets? cabinets = null,
        CancellationToken cancellation = default)
    {
        if (snapshot.ManagedModules.IsEmpty)
        {
            return snapshot;
        }

        PackageAssemblies packages = new(files ?? ProcessFiles.Here, snapshot.ManagedModules.Select(m => m.Path), snapshot.Modules.Select(m => m.Path));
        snapshot = snapshot with
        {
            ManagedModules = [.. snapshot.ManagedModules.Select(m => packages.Contains(m.Path) is { } isPackage ? m with { IsPackage = isPackage } : m)],
            Modules = [.. snapshot.Modules.Select(m => packages.Contains(m.Path) is { } isPackage ? m with { IsPackage = isPackage } : m)],
        };
        using StoreFiles stores = new(cabinets);
        PortablePdbs pdbs = new(path, stores, memory, files ?? ProcessFiles.Here);
        ProcessSnapshot added = new ManagedLines(snapshot.ManagedModules, pdbs, cancellation).Of(snapshot);
        return added with { Problems = [.. added.Problems, .. pdbs.Problems, .. stores.Problems] };
    }

    /// <summary>A snapshot with its lines.</summary>
    internal ProcessSnapshot Of(ProcessSnapshot snapshot) => snapshot with
    {
        Threads = [.. snapshot.Threads.Select(t => t with { Stack = Of(t.Stack) })],
        Exception = snapshot.Exception is { } exception ? exception with { Stack = Of(exception.Stack) } : null,
        AsyncTasks = snapshot.AsyncTasks is { } tasks ? tasks with { Chains = [.. tasks.Chains.Select(c => c with { Steps = Of(c.Steps) })] } : null,
        Requests = snapshot.Requests is { } requests ? requests with { Requests = [.. requests.Requests.Select(Of)] } : null,
        TaskWaits = [.. snapshot.TaskWaits.Select(w => w with { Steps = [.. w.Steps.Select(s => s with { Source = Find(s.Place) })] })],
        AsyncWaits = snapshot.AsyncWaits is { } waits ? Of(waits) : null,
    };

    private ThreadStack Of(ThreadStack stack) =>
        stack with { Frames = [.. stack.Frames.Select(f => f.Code is null ? f : f with { Source = Find(f.Code, null) })] };

    private ImmutableArray<AsyncStep> Of(ImmutableArray<AsyncStep> steps) =>
    [
        .. steps.Select(s => s with
        {
            Source = s is { Code: { } code, State: >= 0 and var state } ? Find(code, state) : null,
            Branches = [.. s.Branches.Select(b => b with { Steps = Of(b.Steps) })],
        }),
    ];

    private AsyncWaits Of(AsyncWaits waits) => waits with
    {
        Cycles = [.. waits.Cycles.Select(c => c with { Links = [.. c.Links.Select(l => l with { Source = Find(l.Place) })] })],
        Endless = [.. waits.Endless.Select(w => w with { Method = Of(w.Method) })],
        Semaphores =
        [
            .. waits.Semaphores.Select(s => s with { Methods = Of(s.Methods), Holders = [.. s.Holders.Select(h => h with { Method = Of(h.Method)! })] }),
        ],
        Tasks = [.. waits.Tasks.Select(t => t with { Methods = Of(t.Methods) })],
        Sources = [.. waits.Sources.Select(s => s with { Methods = Of(s.Methods) })],
        Calls = [.. waits.Calls.Select(c => c with { Steps = Of(c.Steps) })],
        Hosts = [.. waits.Hosts.Select(h => h with { Method = Of(h.Method) })],
    };

    private RequestInFlight Of(RequestInFlight request) => request with
    {
        Wait = request.Wait with { Places = [.. request.Wait.Places.Select(p => p with { Source = Find(p.Place) })] },
    };

    private ImmutableArray<AwaitingMethod> Of(ImmutableArray<AwaitingMethod> methods) => [.. methods.Select(m => Of(m)!)];

    private AwaitingMethod? Of(AwaitingMethod? method) => method is null ? null : method with { Source = Find(method.Place) };

    private SourceLocation? Find(AwaitPlace? place) => place is null ? null : Find(place.Code, place.State);

    /// <summary>The line of a place, or of the await at which a method stands.</summary>
    private SourceLocation? Find(MethodPlace code, int? state)
    {
        if (!_known.TryGetValue((code, state), out SourceLocation? found))
        {
            _cancellation.ThrowIfCancellationRequested();
            PortablePdb? pdb = (uint)code.Module < (uint)_modules.Length ? _pdbs.Of(_modules[code.Module]) : null;
            found = code.Offset is { } offset ? pdb?.Find(code.MethodToken, offset) : state is { } number ? pdb?.OfAwait(code.MethodToken, number) : null;
            found = found is not null && code.IsApproximate ? found with { IsApproximate = true } : found;
            _known.Add((code, state), found);
        }

        return found;
    }
}

/// <summary>
/// Which modules come from packages, by the dependency file of the program (<c>shop.deps.json</c> beside <c>shop.dll</c>; format: dotnet/runtime,
/// docs/design/features/host-runtime-information.md). Nothing is decided by it but which of a thread's functions is named first.
/// </summary>
internal sealed class PackageAssemblies
{
    private const int MostModules = 2_000;
    private const int LongestFile = 16 << 20;
    private const string Assembly = ".dll";
    private const string DependencyFile = ".deps.json";
    private const string NativeStart = "/runtimes/";
    private const string NativeEnd = "/native";
    private readonly ProcessFiles _files;
    private readonly FrozenDictionary<string, FrozenDictionary<string, bool>> _known;

    /// <summary>Reads the dependency files beside the managed modules.</summary>
    /// <param name="files">Where the files lie that the process names.</param>
    /// <param name="managed">Paths of the managed modules.</param>
    /// <param name="others">Paths of further modules of the process, of which one may be the program's.</param>
    public PackageAssemblies(ProcessFiles files, IEnumerable<string?> managed, IEnumerable<string> others)
    {
        _files = files;
        string[] paths = [.. managed.OfType<string>()];
        string[] folders = [.. paths.Select(FolderOf).OfType<string>().Distinct(StringComparer.Ordinal)];
        _known = paths.Concat(others)
            .Where(p => p.EndsWith(Assembly, StringComparison.OrdinalIgnoreCase) && folders.Contains(FolderOf(p), StringComparer.Ordinal))
            .Distinct(StringComparer.Ordinal).Take(MostModules)
            .Select(p => (Folder: FolderOf(p)!, Named: Read(p[..^Assembly.Length] + DependencyFile))).Where(f => f.Named is not null)
            .GroupBy(f => f.Folder, f => f.Named!, StringComparer.Ordinal).ToFrozenDictionary(g => g.Key, g => g.First(), StringComparer.Ordinal);
    }

    /// <summary>True for a module of a package, false for one of the program's projects; null when that is unknown.</summary>
    /// <param name="path">The path of the module in its process, or null.</param>
    public bool? Contains(string? path) => path is not null && FolderOf(path) is { } folder
        && (_known.TryGetValue(folder, out FrozenDictionary<string, bool>? named) || _known.TryGetValue(ProgramOf(folder), out named))
        && named.TryGetValue(NameOf(path), out bool isPackage) ? isPackage : null;

    /// <summary>The assemblies that a dependency file names: true for those of packages, false for those of projects. Null where it is none.</summary>
    /// <param name="json">The file.</param>
    internal static FrozenDictionary<string, bool>? Parse(ReadOnlyMemory<byte> json)
    {
        try
        {
            using var document = JsonDocument.Parse(json);
            if (Member(document.RootElement, "libraries") is not { } libraries || Member(document.RootElement, "targets") is not { } targets)
            {
                return null;
            }

            Dictionary<string, bool> found = new(StringComparer.OrdinalIgnoreCase);
            foreach (JsonProperty library in targets.EnumerateObject().Where(t => t.Value.ValueKind == JsonValueKind.Object).SelectMany(t => t.Value.EnumerateObject()))
            {
                string? type = Member(libraries, library.Name) is { } entry && entry.TryGetProperty("type", out JsonElement value)
                    && value.ValueKind == JsonValueKind.String ? value.GetString() : null;
                if (type is not ("package" or "project"))
                {
                    continue;
                }

                foreach (JsonElement part in new[] { "runtime", "native", "runtimeTargets" }.Select(n => Member(library.Value, n)).OfType<JsonElement>())
                {
                    foreach (JsonProperty file in part.EnumerateObject())
                    {
                        // A file of both kinds is the program's.
                        string name = NameOf(file.Name);
                        found[name] = type == "package" && found.GetValueOrDefault(name, true);
                    }
                }
            }

            return found.ToFrozenDictionary(StringComparer.OrdinalIgnoreCase);
        }
        catch (Exception error) when (error is JsonException or InvalidOperationException)
        {
            return null;
        }
    }

    private static JsonElement? Member(JsonElement element, string name) =>
        element.ValueKind == JsonValueKind.Object && element.TryGetProperty(name, out JsonElement value) && value.ValueKind == JsonValueKind.Object ? value : null;

    private static string? FolderOf(string? path) => path?.LastIndexOfAny(['/', '\\']) is > 0 and var end ? path[..end] : null;

    /// <summary>The program's folder where a folder is one of its native libraries, as <c>runtimes/linux-x64/native</c> is; else the folder itself.</summary>
    private static string ProgramOf(string folder)
    {
        string slashes = folder.Replace('\\', '/');
        int at = slashes.LastIndexOf(NativeStart, StringComparison.Ordinal);
        return at > 0 && slashes.EndsWith(NativeEnd, StringComparison.Ordinal) ? folder[..at] : folder;
    }

    private static string NameOf(string path) => path[(path.LastIndexOfAny(['/', '\\']) + 1)..];

    private FrozenDictionary<string, bool>? Read(string path)
    {
        try
        {
            if (_files.Existing(path) is not { } place)
            {
                return null;
            }

            using FileStream file = RegularFile.OpenRead(place, owners: _files.Owners);
            if (file.Length > LongestFile)
            {
                return null;
            }

            byte[] content = new byte[file.Length];
            file.ReadExactly(content);
            return Parse(content);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or InvalidDumpException)
        {
            return null;
        }
    }
}
