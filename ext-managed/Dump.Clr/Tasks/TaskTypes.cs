using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Tasks;

/// <summary>Recognises tasks by type.</summary>
internal static class TaskTypes
{
    private const int DeepestHierarchy = 64;

    /// <summary>True for <c>System.Threading.Tasks.Task</c> and what derives from it.</summary>
    public static bool IsTask(ClrType type) => DerivesFrom(type, "System.Threading.Tasks.Task");

    /// <summary>True when the type or one of its base types has the name.</summary>
    public static bool DerivesFrom(ClrType type, string name)
    {
        ClrType? current = type;
        for (int i = 0; current is not null && i < DeepestHierarchy; i++)
        {
            if (current.Name == name)
            {
                return true;
            }

            current = current.BaseType;
        }

        return false;
    }
}
