using System.Reflection.Metadata;

namespace Dump.Packaging.Profiles;

/// <summary>A type where it is declared.</summary>
/// <param name="Assembly">Simple name of its assembly.</param>
/// <param name="Metadata">That assembly's metadata.</param>
/// <param name="Handle">The type in it.</param>
public sealed record DefinedType(string Assembly, MetadataReader Metadata, TypeDefinitionHandle Handle)
{
    /// <summary>Whether its values stand where they are used, so that signatures mark it otherwise than a class.</summary>
    public bool IsValueType
    {
        get
        {
            EntityHandle parent = Metadata.GetTypeDefinition(Handle).BaseType;
            if (parent.IsNil)
            {
                return false;
            }

            (StringHandle space, StringHandle name) = parent.Kind switch
            {
                HandleKind.TypeReference => Names(Metadata.GetTypeReference((TypeReferenceHandle)parent)),
                HandleKind.TypeDefinition => Names(Metadata.GetTypeDefinition((TypeDefinitionHandle)parent)),
                _ => default,
            };
            // System.Enum is a class itself; what derives from it is not.
            return Metadata.GetString(space) == "System" && Metadata.GetString(name) is "ValueType" or "Enum"
                && Metadata.GetString(Metadata.GetTypeDefinition(Handle).Name) != "Enum";
        }
    }

    /// <summary>Its methods of a name, a number of type parameters of their own and a number of parameters.</summary>
    public IEnumerable<MethodDefinition> Methods(UsedMethod used) => Metadata.GetTypeDefinition(Handle).GetMethods().Select(Metadata.GetMethodDefinition)
        .Where(m => Metadata.StringComparer.Equals(m.Name, used.Name) && m.GetGenericParameters().Count == used.Arguments.Count
            && ParametersOf(m) == used.Parameters);

    private int ParametersOf(MethodDefinition method)
    {
        BlobReader signature = Metadata.GetBlobReader(method.Signature);
        if (signature.ReadSignatureHeader().IsGeneric)
        {
            signature.ReadCompressedInteger();
        }

        return signature.ReadCompressedInteger();
    }

    private static (StringHandle Space, StringHandle Name) Names(TypeReference type) => (type.Namespace, type.Name);

    private static (StringHandle Space, StringHandle Name) Names(TypeDefinition type) => (type.Namespace, type.Name);
}
