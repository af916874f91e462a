"""What README shows is what the tools print:  check-readme.py README BIN WORK

A paragraph that ends with a command in backquotes, or with such a command and a
few words, and an indented block after it: the command is run from the folder of
README, and each line of the block has to be in its output, in that order. `...`
stands for anything; a file `out.mlir` is written to WORK."""
import pathlib
import re
import shlex
import subprocess
import sys

readme, tools, work = (pathlib.Path(a).resolve() for a in sys.argv[1:])
paragraphs = readme.read_text().split("\n\n")
checked = 0
for text, block in zip(paragraphs, paragraphs[1:]):
    command = re.search(r"`(fp8-\w+ [^`]+)`[^`]*(`%\w+`[^`]*)?$", text)
    if not command or not block.startswith("    "):
        continue
    words = [str(work / w) if w == "out.mlir" else w
             for w in shlex.split(command.group(1))]
    words[0] = str(tools / words[0])
    run = subprocess.run(words, cwd=readme.parent, capture_output=True, text=True)
    if run.returncode:
        sys.exit("%s: exit status %d: %s" % (command.group(1), run.returncode,
                                             run.stderr))
    output = iter((run.stdout + run.stderr).splitlines())
    for line in block.splitlines():
        if line.strip() == "...":
            continue
        pattern = ".*".join(map(re.escape, line.split()))
        pattern = pattern.replace(re.escape("..."), ".*")
        if not any(re.search(pattern, found) for found in output):
            sys.exit("%s does not print, or not here: %s" %
                     (command.group(1), line.strip()))
        checked += 1
print("%d lines of README are printed" % checked)
