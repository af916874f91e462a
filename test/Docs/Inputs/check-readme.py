"""What README shows is what the tools print:  check-readme.py README BIN WORK

A paragraph that ends with a command in backquotes, or with such a command and a
few words, and an indented block after it: the command is run from the folder of
README, and each line of the block has to be in its output, in that order. `...`
stands for anything; a file `out.mlir` is written to WORK. A paragraph that begins
with a file in backquotes says what the block after it is a part of. A command on
a file of the tree, or an indented block with IR or a report, that is not checked
is an error."""
import pathlib
import re
import shlex
import subprocess
import sys

readme, tools, work = (pathlib.Path(a).resolve() for a in sys.argv[1:])


def check(what, block, output):
    """Each line of `block` is in `output`, in that order."""
    found, lines = iter(output.splitlines()), 0
    for line in block.splitlines():
        if line.strip() == "...":
            continue
        pattern = ".*".join(map(re.escape, line.split()))
        pattern = pattern.replace(re.escape("..."), ".*")
        if not any(re.search(pattern, text) for text in found):
            sys.exit("%s does not print, or not here: %s" % (what, line.strip()))
        lines += 1
    print("%s: %d lines" % (what, lines))


def run(command):
    words = [str(work / w) if w == "out.mlir" else w for w in shlex.split(command)]
    words[0] = str(tools / words[0])
    done = subprocess.run(words, cwd=readme.parent, capture_output=True, text=True)
    if done.returncode:
        sys.exit("%s: exit status %d: %s" % (command, done.returncode, done.stderr))
    return done.stdout + done.stderr


def runs_on_the_tree(command):
    """Whether the command can be run as it stands: it names a file of ours."""
    return any((readme.parent / w).is_file() for w in command.split()[1:])


paragraphs = readme.read_text().split("\n\n")
for text, block in zip(paragraphs, paragraphs[1:] + [""]):
    is_block = block.startswith("    ")
    command = re.search(r"`(fp8-\w+ [^`]+)`[^`]*(`%\w+`[^`]*)?$", text)
    file = re.match(r"`([\w./]+\.mlir)`", text)
    for other in re.findall(r"`(fp8-[\w-]+ [^`]+)`", text):
        if runs_on_the_tree(other) and not (is_block and command
                                            and other == command.group(1)):
            sys.exit("%s: expected what it prints in an indented block after its "
                     "paragraph, which ends with it" % other)
    if command and is_block:
        check(command.group(1), block, run(command.group(1)))
    elif file and is_block:
        check(file.group(1), block, (readme.parent / file.group(1)).read_text())
    elif is_block and re.search(r"^ +(func|%\w+ =|recipe \w+, target)", block, re.M):
        sys.exit("expected the command that prints it, or its file, before: %s"
                 % block.splitlines()[0].strip())
