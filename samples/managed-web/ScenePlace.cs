namespace Dump.Samples.Managed.Web;

/// <summary>Where in a web server a scene happens.</summary>
internal enum ScenePlace
{
    /// <summary>In handlers of requests: the scene itself and everything that it starts threads for elsewhere.</summary>
    Requests,

    /// <summary>On threads of its own, beside the requests.</summary>
    Threads,

    /// <summary>Nowhere.</summary>
    None,
}
