"""The group of commands, and what happens when one fails: one line on stderr and an exit code."""

import os
import sys
from collections.abc import Sequence
from typing import Any

import click

from .advise import advise
from .analyze import analyze
from .arena import arena
from .bench import bench
from .convert import convert
from .deal import deal
from .errors import FAULTY, INTERRUPTED, one_line, say, silence_stdout
from .interruptions import Interruptions
from .know import know
from .play import play
from .review import review
from .score import score
from .simulate import simulate
from .stats import stats
from .tabulate import tabulate
from .variants import variants


class _Group(click.Group):
    """Commands whose every failure is one line: click's own errors take three."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """As click's, but errors are one line on stderr, and a reader that went away is no error."""
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        if sys.stdout is None:  # closed by whoever started this (>&-): writing fails as to any closed file
            sys.stdout = open(os.open(os.devnull, os.O_RDONLY), "w", encoding="utf-8")
        with Interruptions() as interruptions:
            try:
                code = super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
            except click.exceptions.NoArgsIsHelpError as error:
                error.show()
                code = error.exit_code
            except click.ClickException as error:
                say(one_line(error))
                code = error.exit_code
            except click.Abort:
                say("interrupted")
                code = INTERRUPTED
            except BrokenPipeError:
                silence_stdout()
                code = 0
            except (ImportError, OSError) as error:  # --version or --help: no command has been invoked
                if os.environ.get("KINGSOLVE_TRACEBACK"):
                    raise
                silence_stdout_if_broken()
                say(one_line(error))
                code = FAULTY
        sys.exit(interruptions.code(code) if isinstance(code, int) else 0)

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command and flushes its output; turns what the library raises into one line."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except KeyboardInterrupt:
            say("interrupted")
            ctx.exit(INTERRUPTED)
        except BrokenPipeError:
            silence_stdout()
            ctx.exit(0)
        except Exception as error:
            if os.environ.get("KINGSOLVE_TRACEBACK"):
                raise
            silence_stdout_if_broken()
            say(one_line(error))
            ctx.exit(FAULTY)
        return result


def silence_stdout_if_broken() -> None:
    """Drops what stdout still holds if nobody can take it any more."""
    try:
        sys.stdout.flush()
    except OSError:
        silence_stdout()


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from kingsolve import __version__

        click.echo(f"kingsolve {__version__}")
        ctx.exit()


@click.group(
    cls=_Group,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 done; 1 something wrong inside a file; 2 something wrong with an option or a path "
    "as typed; 130 interrupted (143 by SIGTERM, 129 by SIGHUP). Data goes to standard output, everything "
    "else to standard error. Suits are coloured on a terminal unless NO_COLOR is set.",
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Print the version."
)
def main() -> None:
    """Exact answers about King, the trick-taking compendium game: what each card is worth with all hands
    seen, what each seat can be sure of, what its fair share is.

    \b
      kingsolve analyze deal.pbn         every value of every contract
      kingsolve know round.pbn --seat S  what one seat may infer
      kingsolve advise contract --hand   what to choose, seeing one hand
      kingsolve score match.pbn          check and score recorded rounds
      kingsolve review match.json        who lost points, where, in a recorded match
      kingsolve deal --variant rifki     random deals
      kingsolve play                     the game itself, in the terminal
      kingsolve stats                    how your matches of `kingsolve play` ended
      kingsolve simulate -o runs/a ...   millions of deals, expected points per contract
      kingsolve tabulate runs/a          what the contracts of a run cost, seat by seat
      kingsolve arena normal hard        players against each other
      kingsolve variants                 the house rules that ship
      kingsolve bench --quick            how fast the solver is here
    """


for command in (
    analyze,
    know,
    play,
    advise,
    score,
    review,
    stats,
    variants,
    convert,
    deal,
    simulate,
    tabulate,
    arena,
    bench,
):
    main.add_command(command)
