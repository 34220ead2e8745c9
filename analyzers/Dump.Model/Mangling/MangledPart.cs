namespace Dump.Model.Mangling;

/// <summary>
/// A part of a mangled C++ name: a name, a type or an expression. What stands around the name that it declares is printed in two halves: of an array's pointer
/// <c>int (*</c> and <c>) [5]</c>.
/// </summary>
internal abstract class MangledPart
{
    /// <summary>The parts inside, among which packs are looked for.</summary>
    public virtual IEnumerable<MangledPart> Parts => [];

    /// <summary>True for what an expression prints without parentheses.</summary>
    public virtual bool IsSimple => false;

    /// <summary>Prints what stands before the declared name.</summary>
    public abstract void Left(MangledText text);

    /// <summary>Prints what stands behind the declared name.</summary>
    public virtual void Right(MangledText text)
    {
    }

    /// <summary>Whether a declarator has to be put into parentheses.</summary>
    public virtual DeclaratorShape Shape(MangledText text) => DeclaratorShape.Plain;
}

/// <summary>What a type is to a pointer to it.</summary>
internal enum DeclaratorShape
{
    /// <summary>No parentheses.</summary>
    Plain,

    /// <summary>A pointer to an array or a function: parentheses are open already.</summary>
    Open,

    /// <summary>An array: its extent stands behind the name.</summary>
    Array,

    /// <summary>A function: its parameters stand behind the name.</summary>
    Function,
}

/// <summary>A template whose arguments parameters stand for.</summary>
/// <param name="Template">The template.</param>
/// <param name="Outer">The one around it, or null.</param>
internal sealed record TemplateScope(TemplateName Template, TemplateScope? Outer);
