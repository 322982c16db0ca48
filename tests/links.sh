#!/usr/bin/env bash
# Every link of a manual to a file or a heading of the project has its target.
#     tests/links.sh SOURCE
set -euo pipefail
cd "$1"
python3 - <<'END'
import pathlib, re, sys

def slugs(text):
    """The anchors that GitHub gives the headings of a page, and those that it sets itself."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    headings = (re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading) for heading in re.findall(r"^#+ (.*)", text, flags=re.M))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings} | set(re.findall(r'<a id="([^"]*)"', text))

# Templates of a report's sections link to what stands beside the report.
apart = ("build", "runs", ".", "reports/sections/")
pages = [page for page in pathlib.Path(".").rglob("*.md") if not str(page).startswith(apart)]
links = dead = 0
for page in pages:
    text = re.sub(r"^```.*?^```|`[^`\n]*`", "", page.read_text(), flags=re.M | re.S)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        path, _, heading = link.partition("#")
        if re.match(r"[a-z]+:", link):
            continue
        links += 1
        target = page.parent / path if path else page
        if not target.exists() or heading and heading not in slugs(target.read_text()):
            print(f"FAIL: {page} points to {link}, which is not there", file=sys.stderr)
            dead += 1
if not links or dead:
    sys.exit(f"{dead} of {links} links are dead")
print("ok")
END
