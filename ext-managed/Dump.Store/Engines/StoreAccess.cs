namespace Dump.Store.Engines;

/// <summary>What a store is opened for.</summary>
internal enum StoreAccess
{
    /// <summary>To read from it; nothing is changed.</summary>
    Read,

    /// <summary>To keep in it what was counted; a place that is no store of this version is refused and stays as it is.</summary>
    Keep,

    /// <summary>To write to it; made when it is not there, brought up to date when it is older.</summary>
    Write,
}
