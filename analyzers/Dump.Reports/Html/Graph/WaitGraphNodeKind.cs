namespace Dump.Reports.Html.Graph;

/// <summary>What a node of a drawn wait graph stands for.</summary>
public enum WaitGraphNodeKind
{
    /// <summary>A thread of the process.</summary>
    Thread,

    /// <summary>A holder that no longer exists or is no thread of the process.</summary>
    Foreign,

    /// <summary>Something threads wait for.</summary>
    Resource,

    /// <summary>Links that are left out.</summary>
    More,
}
