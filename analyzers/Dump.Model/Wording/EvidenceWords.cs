using Dump.Model.Facts;
using Dump.Model.Text;

namespace Dump.Model.Wording;

/// <summary>Evidence in words.</summary>
public static class EvidenceWords
{
    /// <summary>A piece of evidence in one line, for example <c>memory: LockSemaphore (0x4028 = 0x54)</c>.</summary>
    public static string Line(Evidence evidence)
    {
        string place = (evidence.Address, evidence.Value) switch
        {
            ({ } at, { } number) => $" (0x{at:x} = 0x{number:x})",
            ({ } at, null) => $" (0x{at:x})",
            (null, { } number) => $" (= 0x{number:x})",
            _ => "",
        };
        return $"{EnumText.Words(evidence.Source)}: {evidence.Text}{place}";
    }
}
