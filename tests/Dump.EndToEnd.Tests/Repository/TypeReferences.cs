using System.Collections.Immutable;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;

namespace Dump.EndToEnd.Tests.RepositoryRules;

/// <summary>
/// Reads which types of an assembly refer to which others of it: bases, interfaces, constraints, attributes, signatures of members,
/// local variables and the tokens of the code. Nested types, the compiler's own ones among them, count for their outermost type.
/// What the compiler copies leaves no trace: the values of constants and enums, and <c>nameof</c>.
/// </summary>
internal sealed class TypeReferences
{
    private readonly MetadataReader _reader;
    private readonly PEReader _image;
    private readonly ReferencedTypes _found = new();

    private TypeReferences(PEReader image) => (_image, _reader) = (image, image.GetMetadataReader());

    /// <summary>The references of an assembly, each pair of types once.</summary>
    /// <param name="path">The assembly's file.</param>
    public static IReadOnlyCollection<TypeReference> Of(string path)
    {
        using PEReader image = new(File.OpenRead(path));
        TypeReferences references = new(image);
        return [.. references._reader.TypeDefinitions.SelectMany(references.From).Where(r => (r.FromNamespace, r.From) != (r.ToNamespace, r.To)).Distinct()];
    }

    private IEnumerable<TypeReference> From(TypeDefinitionHandle handle)
    {
        _found.Clear();
        TypeDefinition type = _reader.GetTypeDefinition(handle);
        Add(type.BaseType);
        Add(type.GetInterfaceImplementations().Select(i => _reader.GetInterfaceImplementation(i).Interface));
        Add(type.GetGenericParameters());
        Add(type.GetCustomAttributes());
        Add(type.GetEvents().Select(e => _reader.GetEventDefinition(e).Type));
        foreach (FieldDefinition field in type.GetFields().Select(_reader.GetFieldDefinition))
        {
            field.DecodeSignature(_found, null);
        }

        foreach (PropertyDefinition property in type.GetProperties().Select(_reader.GetPropertyDefinition))
        {
            property.DecodeSignature(_found, null);
        }

        foreach (MethodDefinition method in type.GetMethods().Select(_reader.GetMethodDefinition))
        {
            method.DecodeSignature(_found, null);
            Add(method.GetGenericParameters());
            Add(method.GetCustomAttributes());
            AddBody(method.RelativeVirtualAddress);
        }

        (string from, string fromName) = Outermost(handle);
        return _found.Types.Select(Outermost).Select(to => new TypeReference(from, fromName, to.Namespace, to.Name)).ToImmutableArray();
    }

    private void AddBody(int address)
    {
        if (address == 0)
        {
            return;
        }

        MethodBodyBlock body = _image.GetMethodBody(address);
        Add(body.LocalSignature);
        Add(body.ExceptionRegions.Select(r => r.CatchType));
        foreach (EntityHandle token in CodeTokens.Of(body.GetILReader()))
        {
            Add(token);
        }
    }

    private void Add(IEnumerable<EntityHandle> handles)
    {
        foreach (EntityHandle handle in handles)
        {
            Add(handle);
        }
    }

    private void Add(GenericParameterHandleCollection parameters) =>
        Add(parameters.SelectMany(p => _reader.GetGenericParameter(p).GetConstraints()).Select(c => _reader.GetGenericParameterConstraint(c).Type));

    private void Add(CustomAttributeHandleCollection attributes) => Add(attributes.Select(a => _reader.GetCustomAttribute(a).Constructor));

    private void Add(EntityHandle handle)
    {
        switch (handle.Kind)
        {
            case HandleKind.TypeDefinition when !handle.IsNil:
                _found.GetTypeFromDefinition(_reader, (TypeDefinitionHandle)handle, default);
                break;
            case HandleKind.TypeSpecification:
                _reader.GetTypeSpecification((TypeSpecificationHandle)handle).DecodeSignature(_found, null);
                break;
            case HandleKind.MethodDefinition:
                Add(_reader.GetMethodDefinition((MethodDefinitionHandle)handle).GetDeclaringType());
                break;
            case HandleKind.FieldDefinition:
                Add(_reader.GetFieldDefinition((FieldDefinitionHandle)handle).GetDeclaringType());
                break;
            case HandleKind.MemberReference:
                Add(_reader.GetMemberReference((MemberReferenceHandle)handle).Parent);
                break;
            case HandleKind.MethodSpecification:
                MethodSpecification method = _reader.GetMethodSpecification((MethodSpecificationHandle)handle);
                method.DecodeSignature(_found, null);
                Add(method.Method);
                break;
            case HandleKind.StandaloneSignature when !handle.IsNil && _reader.GetStandaloneSignature((StandaloneSignatureHandle)handle) is { } signature:
                if (signature.GetKind() == StandaloneSignatureKind.LocalVariables)
                {
                    signature.DecodeLocalSignature(_found, null);
                }
                else
                {
                    signature.DecodeMethodSignature(_found, null);
                }

                break;
        }
    }

    private (string Namespace, string Name) Outermost(TypeDefinitionHandle handle)
    {
        TypeDefinition type = _reader.GetTypeDefinition(handle);
        while (type.IsNested)
        {
            type = _reader.GetTypeDefinition(type.GetDeclaringType());
        }

        return (_reader.GetString(type.Namespace), _reader.GetString(type.Name));
    }
}
