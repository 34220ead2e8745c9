namespace Dump.Model.Managed;

/// <summary>Who can release a semaphore.</summary>
public enum SemaphoreUsers
{
    /// <summary>It was not looked, or there was too much to look at.</summary>
    Unknown,

    /// <summary>Code besides its waiters can reach it: another method or thread, a static variable, an object that something else refers to.</summary>
    Others,

    /// <summary>Only those that wait for it can reach it, and they do not go on before somebody releases it.</summary>
    OnlyWaiters,
}
