"""`python -m poinsot`: the command line."""

from poinsot.cli import app

if __name__ == "__main__":
    app(prog_name="python -m poinsot")
