namespace Dump.Analysis.Rules;

/// <summary>What a library is for that is loaded into processes of others.</summary>
public enum KnownModuleCategory
{
    /// <summary>Any other purpose.</summary>
    Other,

    /// <summary>A security product: antivirus, firewall, privilege management, data-loss prevention.</summary>
    Security,

    /// <summary>It draws over other programs' windows, or captures them.</summary>
    Overlay,

    /// <summary>It intercepts window messages or functions for another purpose.</summary>
    Hook,

    /// <summary>A sound effect or a recorder.</summary>
    Audio,

    /// <summary>An extension of the shell, which file dialogs load.</summary>
    Shell,

    /// <summary>An aid for people with disabilities, or a test tool that uses the same interface.</summary>
    Accessibility,

    /// <summary>An input method or a keyboard tool.</summary>
    Input,
}
