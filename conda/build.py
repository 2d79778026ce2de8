"""Build the conda package from conda/recipe.yaml: python conda/build.py FOLDER [CHANNEL...].

Needs py-rattler-build and the source distribution in build/dist. CHANNEL: where python, pip and the dependencies come from, conda-forge
without any. The recipe's own tests run where the channel has the dependencies; `--without-tests` leaves them out.
"""

import sys
from pathlib import Path

from rattler_build import Stage0Recipe, ToolConfiguration


def main(arguments: list[str]) -> None:
    tested = "--without-tests" not in arguments
    folder, *channels = [argument for argument in arguments if argument != "--without-tests"]
    recipe = Stage0Recipe.from_file(str(Path(__file__).with_name("recipe.yaml")))
    settings = ToolConfiguration(test_strategy="native" if tested else "skip")
    for variant in recipe.render():
        built = variant.run_build(tool_config=settings, output_dir=folder, channels=channels or ["conda-forge"])
        print(*built.packages, sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
