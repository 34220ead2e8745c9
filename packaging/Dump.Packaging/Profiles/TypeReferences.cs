using System.Collections.Immutable;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;

namespace Dump.Packaging.Profiles;

/// <summary>References to types of other assemblies in the metadata that is being written, and types as signatures write them (ECMA-335, II.23.2.12).</summary>
/// <param name="output">The metadata.</param>
/// <param name="assemblies">Where types are looked for by name.</param>
internal sealed class TypeReferences(MetadataBuilder output, AssemblySet assemblies)
{
    /// <summary>The type that stands for all reference types in shared code, and the assembly by which compilers ask for it in a profile.</summary>
    private const string SharedArgument = "System.__Canon";
    private const string SharedAssembly = "System.Private.Canon";

    private static readonly Dictionary<string, SignatureTypeCode> s_primitives = new(StringComparer.Ordinal)
    {
        ["System.Void"] = SignatureTypeCode.Void, ["System.Boolean"] = SignatureTypeCode.Boolean, ["System.Char"] = SignatureTypeCode.Char,
        ["System.SByte"] = SignatureTypeCode.SByte, ["System.Byte"] = SignatureTypeCode.Byte, ["System.Int16"] = SignatureTypeCode.Int16,
        ["System.UInt16"] = SignatureTypeCode.UInt16, ["System.Int32"] = SignatureTypeCode.Int32, ["System.UInt32"] = SignatureTypeCode.UInt32,
        ["System.Int64"] = SignatureTypeCode.Int64, ["System.UInt64"] = SignatureTypeCode.UInt64, ["System.Single"] = SignatureTypeCode.Single,
        ["System.Double"] = SignatureTypeCode.Double, ["System.IntPtr"] = SignatureTypeCode.IntPtr, ["System.UIntPtr"] = SignatureTypeCode.UIntPtr,
        ["System.Object"] = SignatureTypeCode.Object, ["System.String"] = SignatureTypeCode.String,
        ["System.TypedReference"] = SignatureTypeCode.TypedReference,
    };

    private readonly Dictionary<string, AssemblyReferenceHandle> _assemblies = new(StringComparer.OrdinalIgnoreCase);
    private readonly Dictionary<(EntityHandle Scope, string Space, string Name), TypeReferenceHandle> _types = [];

    /// <summary>A type by its name, as signatures write it; null when no assembly declares it or a part of it.</summary>
    /// <param name="type">The name.</param>
    /// <param name="assembly">The assembly that declares it; null for any.</param>
    public ImmutableArray<byte>? Encode(TypeName type, string? assembly = null)
    {
        if (type.IsSZArray || type.IsPointer)
        {
            return Encode(type.GetElementType()) is { } element
                ? [(byte)(type.IsSZArray ? SignatureTypeCode.SZArray : SignatureTypeCode.Pointer), .. element]
                : null;
        }

        if (type.IsConstructedGenericType)
        {
            ImmutableArray<byte>?[] arguments = [.. type.GetGenericArguments().Select(a => Encode(a))];
            return Encode(type.GetGenericTypeDefinition(), assembly) is { } definition && arguments.All(a => a is not null)
                ? EncodeInstance(definition, [.. arguments.Select(a => a!.Value)])
                : null;
        }

        if (type.IsArray || type.IsByRef)
        {
            return null;
        }

        return s_primitives.TryGetValue(type.FullName, out SignatureTypeCode primitive) ? [(byte)primitive]
            : type.FullName == SharedArgument ? Encode(Reference(Assembly(SharedAssembly), "System", "__Canon"), isValueType: false)
            : assemblies.Find(type, assembly) is { } defined ? Encode(Reference(defined.Metadata, defined.Handle), defined.IsValueType)
            : null;
    }

    /// <summary>A reference to a type as signatures write it.</summary>
    public static ImmutableArray<byte> Encode(TypeReferenceHandle type, bool isValueType)
    {
        BlobBuilder blob = new();
        blob.WriteByte((byte)(isValueType ? SignatureTypeKind.ValueType : SignatureTypeKind.Class));
        blob.WriteCompressedInteger(CodedIndex.TypeDefOrRef(type));
        return blob.ToImmutableArray();
    }

    /// <summary>An instance of a generic type as signatures write it.</summary>
    public static ImmutableArray<byte> EncodeInstance(ImmutableArray<byte> definition, ImmutableArray<ImmutableArray<byte>> arguments)
    {
        BlobBuilder blob = new();
        blob.WriteByte((byte)SignatureTypeCode.GenericTypeInstance);
        blob.WriteBytes(definition);
        blob.WriteCompressedInteger(arguments.Length);
        foreach (ImmutableArray<byte> argument in arguments)
        {
            blob.WriteBytes(argument);
        }

        return blob.ToImmutableArray();
    }

    /// <summary>A reference to a type that an assembly declares.</summary>
    public TypeReferenceHandle Reference(MetadataReader metadata, TypeDefinitionHandle handle)
    {
        TypeDefinition type = metadata.GetTypeDefinition(handle);
        TypeDefinitionHandle outer = type.GetDeclaringType();
        return Reference(outer.IsNil ? Assembly(metadata.GetString(metadata.GetAssemblyDefinition().Name)) : Reference(metadata, outer),
            metadata.GetString(type.Namespace), metadata.GetString(type.Name));
    }

    /// <summary>A reference to a type that an assembly itself refers to.</summary>
    public TypeReferenceHandle Reference(MetadataReader metadata, TypeReferenceHandle handle)
    {
        TypeReference type = metadata.GetTypeReference(handle);
        EntityHandle scope = type.ResolutionScope.Kind switch
        {
            HandleKind.TypeReference => Reference(metadata, (TypeReferenceHandle)type.ResolutionScope),
            HandleKind.AssemblyReference =>
                Assembly(metadata.GetString(metadata.GetAssemblyReference((AssemblyReferenceHandle)type.ResolutionScope).Name)),
            _ => Assembly(metadata.GetString(metadata.GetAssemblyDefinition().Name)),
        };
        return Reference(scope, metadata.GetString(type.Namespace), metadata.GetString(type.Name));
    }

    private TypeReferenceHandle Reference(EntityHandle scope, string space, string name)
    {
        if (!_types.TryGetValue((scope, space, name), out TypeReferenceHandle handle))
        {
            handle = output.AddTypeReference(scope, output.GetOrAddString(space), output.GetOrAddString(name));
            _types[(scope, space, name)] = handle;
        }

        return handle;
    }

    private AssemblyReferenceHandle Assembly(string name)
    {
        if (!_assemblies.TryGetValue(name, out AssemblyReferenceHandle handle))
        {
            handle = output.AddAssemblyReference(output.GetOrAddString(name), assemblies.VersionOf(name), default, default, default, default);
            _assemblies[name] = handle;
        }

        return handle;
    }
}
