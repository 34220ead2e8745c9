using System.Collections.Immutable;
using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;

namespace Dump.Packaging.Profiles;

/// <summary>
/// A profile that the compiler of ReadyToRun images reads (<c>--mibc</c>): methods that it compiles although nothing it sees calls them, which are most
/// instances of the class library's generic methods over types of the program. An assembly whose methods nobody runs: <c>AssemblyDictionary</c> names one method
/// for each assembly, and that loads the token of each method wanted and drops it. The form is that of the reader in dotnet/runtime,
/// <c>src/coreclr/tools/aot/ILCompiler.ReadyToRun/IBC/MIbcProfileParser.cs</c>, checked on .NET 10.0.12's compiler.
/// </summary>
public sealed class MethodProfile
{
    private readonly MetadataBuilder _metadata = new();
    private readonly AssemblySet _assemblies;
    private readonly TypeReferences _references;
    private readonly SignatureCopy _signatures;
    private readonly SortedDictionary<string, List<EntityHandle>> _groups = new(StringComparer.Ordinal);

    /// <summary>Collects references to the methods.</summary>
    /// <param name="methods">The methods. One that the assemblies do not declare, because it was trimmed or is called otherwise now, is left out.</param>
    /// <param name="assemblies">The assemblies that are compiled.</param>
    public MethodProfile(IEnumerable<UsedMethod> methods, AssemblySet assemblies)
    {
        _assemblies = assemblies;
        _references = new TypeReferences(_metadata, assemblies);
        _signatures = new SignatureCopy(_references);
        foreach (UsedMethod method in methods)
        {
            Add(method);
        }
    }

    /// <summary>Lines that name a method which these assemblies have.</summary>
    public int Found { get; private set; }

    /// <summary>Lines that name none.</summary>
    public int Missing { get; private set; }

    /// <summary>Writes the profile.</summary>
    /// <param name="path">The file; one of that name is replaced.</param>
    public void Write(string path)
    {
        BlobBuilder code = new();
        MethodBodyStreamEncoder bodies = new(code);
        _metadata.AddModule(0, _metadata.GetOrAddString("start.mibc"), _metadata.GetOrAddGuid(default), default, default);
        _metadata.AddAssembly(_metadata.GetOrAddString("start"), new Version(0, 0, 0, 0), default, default, default, default);
        _metadata.AddTypeDefinition(default, default, _metadata.GetOrAddString("<Module>"), default, MetadataTokens.FieldDefinitionHandle(1),
            MetadataTokens.MethodDefinitionHandle(1));
        InstructionEncoder dictionary = new(new BlobBuilder());
        List<(string Name, int Body)> methods = [];
        foreach ((string assembly, List<EntityHandle> tokens) in _groups)
        {
            methods.Add(($"Assembly_{assembly}", AddBody(bodies, tokens)));
            dictionary.LoadString(_metadata.GetOrAddUserString($"{assembly};"));
            dictionary.OpCode(ILOpCode.Ldtoken);
            // The dictionary itself is the first method.
            dictionary.Token(MetadataTokens.MethodDefinitionHandle(1 + methods.Count));
            dictionary.OpCode(ILOpCode.Pop);
        }

        dictionary.OpCode(ILOpCode.Ret);
        AddMethod("AssemblyDictionary", bodies.AddMethodBody(dictionary));
        methods.ForEach(m => AddMethod(m.Name, m.Body));
        BlobBuilder image = new();
        new ManagedPEBuilder(PEHeaderBuilder.CreateLibraryHeader(), new MetadataRootBuilder(_metadata), code,
            deterministicIdProvider: _ => default).Serialize(image);
        using FileStream output = new(path, FileMode.Create);
        image.WriteContentTo(output);
    }

    private void Add(UsedMethod used)
    {
        TypeName definition = used.Type.IsConstructedGenericType ? used.Type.GetGenericTypeDefinition() : used.Type;
        ImmutableArray<byte>?[] arguments = [.. used.Arguments.Select(a => _references.Encode(a))];
        if (_assemblies.Find(definition, used.Assembly) is { } type && Parent(used, type) is { } parent && arguments.All(a => a is not null))
        {
            EntityHandle[] found = [.. type.Methods(used).Select(m => Reference(type, m, parent, [.. arguments.Select(a => a!.Value)]))];
            Found += found.Length > 0 ? 1 : 0;
            Missing += found.Length > 0 ? 0 : 1;
            if (!_groups.TryGetValue(type.Assembly, out List<EntityHandle>? group))
            {
                _groups[type.Assembly] = group = [];
            }

            group.AddRange(found);
        }
        else
        {
            Missing++;
        }
    }

    private EntityHandle? Parent(UsedMethod used, DefinedType type)
    {
        if (!used.Type.IsConstructedGenericType)
        {
            return _references.Reference(type.Metadata, type.Handle);
        }

        return _references.Encode(used.Type, used.Assembly) is { } signature ? _metadata.AddTypeSpecification(_metadata.GetOrAddBlob(signature)) : null;
    }

    private EntityHandle Reference(DefinedType type, MethodDefinition method, EntityHandle parent, ImmutableArray<ImmutableArray<byte>> arguments)
    {
        MemberReferenceHandle reference = _metadata.AddMemberReference(parent, _metadata.GetOrAddString(type.Metadata.GetString(method.Name)),
            _metadata.GetOrAddBlob(_signatures.Of(type.Metadata, method)));
        if (arguments.IsEmpty)
        {
            return reference;
        }

        BlobBuilder instance = new();
        instance.WriteByte((byte)SignatureKind.MethodSpecification);
        instance.WriteCompressedInteger(arguments.Length);
        foreach (ImmutableArray<byte> argument in arguments)
        {
            instance.WriteBytes(argument);
        }

        return _metadata.AddMethodSpecification(reference, _metadata.GetOrAddBlob(instance));
    }

    private static int AddBody(MethodBodyStreamEncoder bodies, List<EntityHandle> tokens)
    {
        InstructionEncoder code = new(new BlobBuilder());
        foreach (EntityHandle token in tokens)
        {
            code.OpCode(ILOpCode.Ldtoken);
            code.Token(token);
            code.OpCode(ILOpCode.Pop);
        }

        code.OpCode(ILOpCode.Ret);
        return bodies.AddMethodBody(code);
    }

    private void AddMethod(string name, int body)
    {
        BlobBuilder signature = new();
        new BlobEncoder(signature).MethodSignature().Parameters(0, returns => returns.Void(), _ => { });
        _metadata.AddMethodDefinition(MethodAttributes.Public | MethodAttributes.Static, MethodImplAttributes.IL, _metadata.GetOrAddString(name),
            _metadata.GetOrAddBlob(signature), body, default);
    }
}
