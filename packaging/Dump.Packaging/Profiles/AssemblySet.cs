using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;

namespace Dump.Packaging.Profiles;

/// <summary>The assemblies that are compiled together, and where each type is among them.</summary>
public sealed class AssemblySet : IDisposable
{
    private readonly List<PEReader> _files = [];
    private readonly Dictionary<string, MetadataReader> _assemblies = new(StringComparer.OrdinalIgnoreCase);
    private readonly Dictionary<string, List<DefinedType>> _types = new(StringComparer.Ordinal);

    /// <summary>Reads them.</summary>
    /// <param name="paths">Their files; what is no assembly is left out.</param>
    public AssemblySet(IEnumerable<string> paths)
    {
        foreach (string path in paths)
        {
            PEReader file = new(File.OpenRead(path));
            _files.Add(file);
            if (file.HasMetadata && file.GetMetadataReader() is { IsAssembly: true } metadata)
            {
                _assemblies[metadata.GetString(metadata.GetAssemblyDefinition().Name)] = metadata;
                AddTypes(metadata);
            }
        }
    }

    /// <summary>Finds a type that is no instance of a generic one.</summary>
    /// <param name="type">Its name.</param>
    /// <param name="assembly">The assembly that declares it; null for whichever does, the first one when there are several.</param>
    public DefinedType? Find(TypeName type, string? assembly = null) => _types.TryGetValue(type.FullName, out List<DefinedType>? found)
        ? found.FirstOrDefault(d => assembly is null || string.Equals(d.Assembly, assembly, StringComparison.OrdinalIgnoreCase))
        : null;

    /// <summary>The version of an assembly; 0.0 of one that is not among them.</summary>
    public Version VersionOf(string assembly) =>
        _assemblies.TryGetValue(assembly, out MetadataReader? metadata) ? metadata.GetAssemblyDefinition().Version : new Version(0, 0, 0, 0);

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (PEReader file in _files)
        {
            file.Dispose();
        }
    }

    private void AddTypes(MetadataReader metadata)
    {
        string assembly = metadata.GetString(metadata.GetAssemblyDefinition().Name);
        foreach (TypeDefinitionHandle handle in metadata.TypeDefinitions)
        {
            string name = FullName(metadata, handle);
            if (!_types.TryGetValue(name, out List<DefinedType>? sameName))
            {
                _types[name] = sameName = [];
            }

            sameName.Add(new DefinedType(assembly, metadata, handle));
        }
    }

    private static string FullName(MetadataReader metadata, TypeDefinitionHandle handle)
    {
        TypeDefinition type = metadata.GetTypeDefinition(handle);
        string name = metadata.GetString(type.Name);
        return !type.GetDeclaringType().IsNil
            ? $"{FullName(metadata, type.GetDeclaringType())}+{name}"
            : type.Namespace.IsNil ? name : $"{metadata.GetString(type.Namespace)}.{name}";
    }
}
