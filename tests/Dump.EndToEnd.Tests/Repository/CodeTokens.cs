using System.Reflection;
using System.Reflection.Emit;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;

namespace Dump.EndToEnd.Tests.RepositoryRules;

/// <summary>The types and members that the code of a method names. Source: ECMA-335 III, with the operations as <see cref="OpCodes"/> lists them.</summary>
internal static class CodeTokens
{
    private const byte TwoBytes = 0xFE;

    private static readonly Dictionary<ushort, OperandType> s_operands = typeof(OpCodes).GetFields(BindingFlags.Public | BindingFlags.Static)
        .Select(f => (OpCode)f.GetValue(null)!).ToDictionary(o => (ushort)o.Value, o => o.OperandType);

    /// <summary>The tokens, in the order of the code.</summary>
    public static IEnumerable<EntityHandle> Of(BlobReader code)
    {
        List<EntityHandle> tokens = [];
        while (code.RemainingBytes > 0)
        {
            byte first = code.ReadByte();
            switch (s_operands[first == TwoBytes ? (ushort)((first << 8) | code.ReadByte()) : first])
            {
                case OperandType.InlineType or OperandType.InlineMethod or OperandType.InlineField or OperandType.InlineTok or OperandType.InlineSig:
                    tokens.Add(MetadataTokens.EntityHandle(code.ReadInt32()));
                    break;
                case OperandType.InlineSwitch:
                    int targets = code.ReadInt32();
                    code.Offset += sizeof(int) * targets;
                    break;
                case OperandType.InlineI8 or OperandType.InlineR:
                    code.Offset += sizeof(long);
                    break;
                case OperandType.InlineI or OperandType.InlineBrTarget or OperandType.InlineString or OperandType.ShortInlineR:
                    code.Offset += sizeof(int);
                    break;
                case OperandType.InlineVar:
                    code.Offset += sizeof(ushort);
                    break;
                case OperandType.ShortInlineI or OperandType.ShortInlineBrTarget or OperandType.ShortInlineVar:
                    code.Offset++;
                    break;
            }
        }

        return tokens;
    }
}
