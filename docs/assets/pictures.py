"""The pictures of the documentation, made by the project: python docs/assets/pictures.py FOLDER.

Curves are drawn; the page of a conformance run is opened in headless Chromium, which has to be on the PATH.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SIZE = (1100, 620)
COLOURS = 64


def photographed(browser: str, page: Path, picture: Path) -> None:
    """The top of a page as it stands on a screen of this size, in few colours, which pages have."""
    with tempfile.TemporaryDirectory() as profile:
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={profile}"]
        command = [browser, *options, f"--window-size={SIZE[0]},{SIZE[1]}", f"--screenshot={picture}", page.resolve().as_uri()]
        subprocess.run(command, check=True, capture_output=True)
    with Image.open(picture) as whole:
        few = whole.convert("RGB").crop((0, 0, *SIZE)).quantize(COLOURS)
    few.save(picture, optimize=True)


def main(folder: Path) -> None:
    """Write brackets.svg, literature.svg and conformance.png."""
    browser = next((found for found in map(shutil.which, BROWSERS) if found), None)
    if browser is None:
        sys.exit(f"none of {', '.join(BROWSERS)} is on the PATH")
    ours = [sys.executable, "-m", "shuffleproof"]
    for name in ("brackets", "literature"):
        subprocess.run([*ours, "figure", name, "-o", str(folder / f"{name}.svg")], check=True)
    with tempfile.TemporaryDirectory() as scratch:
        page = Path(scratch) / "conformance.html"
        faulty = f"cmd:{sys.executable} -m shuffleproof.conformance.fakes.unsound"
        asked = [*ours, "conform", "run", "-i", faulty, "--suite", "smoke", "--report", str(page)]
        assert subprocess.run(asked, capture_output=True, check=False).returncode == 1  # it is unsound, and found to be
        photographed(browser, page, folder / "conformance.png")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
