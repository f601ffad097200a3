#!/usr/bin/env python3
"""Pictures of pages, to be looked at: phone, laptop, wide, both themes, paper.

    look.py FOLDER OUT [PAGE...]

FOLDER holds the pages; OUT gets PAGE.WIDTH.THEME.png and PAGE.pdf.
"""
from __future__ import annotations

import sys
from pathlib import Path

from browser import Browser

PAGES = ("index", "02_tensor_transfer", "07_data_parallel", "machines",
         "calls", "zh/02_tensor_transfer")
WIDTHS = (390, 1280, 1920)


def main(argv: list[str]) -> int:
    folder, out = Path(argv[0]).resolve(), Path(argv[1])
    out.mkdir(parents=True, exist_ok=True)
    browser = Browser()
    for name in argv[2:] or PAGES:
        page = folder / f"{name}.html"
        if not page.is_file():
            print(f"{page} is not there")
            continue
        stem = name.replace("/", "-")
        for width in WIDTHS:
            for dark in (False, True):
                browser.look(width, dark)
                browser.open(page)
                theme = "dark" if dark else "light"
                browser.picture(out / f"{stem}.{width}.{theme}.png")
        browser.paper(out / f"{stem}.pdf")
    browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
