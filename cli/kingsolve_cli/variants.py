"""`kingsolve variants`: the house rules that ship, one of them in words, and a file checked."""

import click

from .options import InputPath, VariantName


@click.group(invoke_without_command=True, short_help="The house rules that ship; a file of your own checked.")
@click.pass_context
def variants(ctx: click.Context) -> None:
    """The house rules: those that ship, what one of them says, whether a file of your own is right.

    Without a command, `list`. How a variant file is written: docs/variants.md.
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_variants)


@variants.command("list")
def list_variants() -> None:
    """The variants that ship: id, seats, cards, rounds of a match, title."""
    from .variant_words import list_lines, print_lines

    print_lines(list_lines)


@variants.command("show")
@click.argument("name", type=VariantName(), metavar="ID|FILE")
@click.option("--toml", is_flag=True, help="The file itself instead of words. Default: words.")
def show(name: str, toml: bool) -> None:
    """What the variant ID or FILE says: contracts, points, obligations and the plan of a match, in words."""
    from .loading import variant_option
    from .variant_words import print_lines, variant_lines

    variant = variant_option(name, "ID")
    assert variant is not None
    if toml:
        click.echo(variant.text, nl=not variant.text.endswith("\n"))
    else:
        print_lines(lambda style: variant_lines(style, variant))


@variants.command("check")
@click.argument("files", nargs=-1, required=True, type=InputPath(), metavar="FILE...")
@click.pass_context
def check(ctx: click.Context, files: tuple[str, ...]) -> None:
    """Check variant FILEs strictly: a line for each, or on stderr what is wrong with it, and exit 1."""
    from kingsolve import VariantError, load_variant

    from .contradictions import check_files
    from .errors import FAULTY, one_line, say
    from .loading import STDIN_PATH

    check_files(files, None)
    faulty = False
    for file in files:
        try:
            named = STDIN_PATH if file == "-" else file
            variant = load_variant(named if "/" in named or named.endswith(".toml") else f"./{named}")
        except VariantError as error:
            say(one_line(error))
            faulty = True
        else:
            plan = variant.plan
            rounds = f"a match of {plan.rounds} rounds" if plan is not None else "no match"
            click.echo(f"{file}: {variant.title}: {len(variant.contracts)} contracts, {rounds}")
    if faulty:
        ctx.exit(FAULTY)
