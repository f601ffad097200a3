# shellcheck shell=sh
# The tools the workbook uses: how each is looked for, which Debian packages
# carry it, and what is switched off without it. Sourced by scripts/start and
# scripts/test. Nothing is installed that answers its probe.
# defines: tools_table, tools_probe, tools_setup

# kind | key | what it is | Debian packages | what is switched off without it
#   required  nothing works without it
#   light     installed by start and test
#   full      installed under --full only
tools_table() {
    cat <<'END'
required|cc|a C11 compiler|gcc libc6-dev|everything
required|cmake|CMake 3.25 or newer|cmake|everything
required|ninja|ninja or make|ninja-build make|everything
required|python|Python 3.9 or newer|python3|everything
light|numpy|NumPy|python3-numpy|the test that shares memory with NumPy
light|cblas|OpenBLAS|libopenblas-dev|fast large matrix products (a plain loop stands in)
light|cmocka|cmocka|libcmocka-dev|the unit tests
light|pandoc|pandoc 2.17 or newer|pandoc|the rendered book
light|bwrap|bubblewrap|bubblewrap|the sandbox of the grader
full|cxx|a C++ compiler|g++|the kernels for real GPUs (nvcc calls it)
full|git|git|git|the guards' list of tracked files (they walk the folder)
full|format|clang-format 14|clang-format-14|the format guard
full|shellcheck|shellcheck|shellcheck|the guard over shell scripts
full|clang|clang with libFuzzer|clang-14 libclang-rt-14-dev|the fuzzers in scripts/check-all
full|valgrind|valgrind|valgrind|the search for leaks in scripts/check-all
full|chromium|Chromium|chromium|pages as PDF and the page tests
full|fonts|fonts for the pages|fonts-dejavu-core|the page tests' pictures
full|cjk|a font with Chinese characters|fonts-wqy-microhei|Chinese words in the PDF
full|qpdf|qpdf|qpdf|a PDF of a third of the size, and the test of its outline
full|pdftotext|poppler's tools|poppler-utils|the tests of the PDF
full|epubcheck|epubcheck|epubcheck|the test that the EPUB is valid
full|java|a Java runtime|default-jre-headless|the page tests for valid HTML
full|hunspell|hunspell with English words|hunspell hunspell-en-us|the spelling test
full|npm|npm|nodejs npm|axe-core and vnu-jar
full|axe|axe-core, by npm||the page tests for accessibility
full|vnu|vnu-jar, by npm||the page tests for valid HTML
full|parallel|GNU parallel|parallel|the test of grading on several machines
full|sim_c|the similarity tester|similarity-tester|a second opinion in scripts/similarity
full|yaml|PyYAML|python3-yaml|the check that the workflow for classrooms is YAML
full|nvcc|the CUDA Toolkit 12 or newer||preset cuda (install it from NVIDIA)
END
}

# tools_try_c LIBRARIES < PROGRAM: whether this C program compiles and links.
# It leaves nothing behind but the folder build/.
tools_try_c() {
    tools_cc=${CC:-cc}
    command -v "$tools_cc" >/dev/null 2>&1 || return 1
    mkdir -p build && tools_tmp=build/probe.$$
    # shellcheck disable=SC2086 # a list of flags
    "$tools_cc" -std=c11 -x c - -o "$tools_tmp" $1 >/dev/null 2>&1 &&
        tools_rc=0 || tools_rc=1
    rm -f "$tools_tmp"
    return "$tools_rc"
}

# tools_at_least HAVE WANT: compares dotted versions, two places.
tools_at_least() {
    tools_have_major=${1%%.*}
    tools_rest=${1#*.}
    tools_have_minor=${tools_rest%%.*}
    [ "$tools_have_major" -gt "${2%%.*}" ] 2>/dev/null ||
        { [ "$tools_have_major" -eq "${2%%.*}" ] &&
            [ "$tools_have_minor" -ge "${2#*.}" ]; } 2>/dev/null
}

# tools_probe KEY: whether that tool is here and new enough.
tools_probe() {
    case $1 in
    cc) echo 'int main(void){_Thread_local static int i;return i;}' |
        tools_try_c '' ;;
    cxx) command -v c++ >/dev/null 2>&1 || command -v g++ >/dev/null 2>&1 ;;
    cmake) tools_at_least "$(cmake --version 2>/dev/null |
        sed -n 's/^cmake version //p')" 3.25 ;;
    ninja) command -v ninja >/dev/null 2>&1 ||
        command -v make >/dev/null 2>&1 ;;
    python) python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' \
        2>/dev/null ;;
    # Any Python will do, as long as one has it; CMake looks for that one.
    numpy) python3 -c 'import numpy' 2>/dev/null ||
        /usr/bin/python3 -c 'import numpy' 2>/dev/null ;;
    yaml) python3 -c 'import yaml' 2>/dev/null ||
        /usr/bin/python3 -c 'import yaml' 2>/dev/null ;;
    cblas) echo '#include <cblas.h>
int main(void){return cblas_ddot(0,0,1,0,1)!=0.0;}' |
        { tools_try_c -lopenblas || [ "$(uname -s)" = Darwin ]; } ;;
    cmocka) echo '#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
int main(void){assert_true(1);return 0;}' | tools_try_c -lcmocka ;;
    pandoc) tools_at_least "$(pandoc --version 2>/dev/null |
        sed -n '1s/^pandoc[^ ]* //p')" 2.17 ;;
    format) command -v clang-format-14 >/dev/null 2>&1 ||
        clang-format --version 2>/dev/null | grep -q 'version 14\.' ;;
    clang) echo 'int LLVMFuzzerTestOneInput(const char *d, unsigned long n)
{return d&&n>9;}' | CC=$(command -v clang || command -v clang-14 || echo false) \
        tools_try_c -fsanitize=fuzzer,address ;;
    chromium) command -v chromium >/dev/null 2>&1 ||
        command -v chromium-browser >/dev/null 2>&1 ||
        command -v google-chrome >/dev/null 2>&1 ;;
    fonts) fc-list 2>/dev/null | grep -q . ||
        [ -d /usr/share/fonts/truetype/dejavu ] ||
        [ "$(uname -s)" = Darwin ] ;;
    cjk) fc-list :lang=zh 2>/dev/null | grep -q . ||
        [ "$(uname -s)" = Darwin ] ;;
    hunspell) echo word | hunspell -d en_US -l >/dev/null 2>&1 ;;
    axe) tools_npm_has axe-core/axe.min.js ;;
    vnu) tools_npm_has vnu-jar/build/dist/vnu.jar ;;
    nvcc) command -v nvcc >/dev/null 2>&1 ||
        [ -x "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" ] ;;
    *) command -v "$1" >/dev/null 2>&1 ;;
    esac
}

# tools_npm_has FILE: whether npm put it into build/npm, in the version wanted.
tools_npm_has() {
    [ -f "build/npm/node_modules/$1" ] &&
        cmp -s tests/book/package-lock.json build/npm/package-lock.json
}

# tools_npm: what tests/book/package.json names, into build/npm; no script of
# a package is run. Without npm, or without a network, its tests are skipped.
tools_npm() {
    tools_probe npm || return 0
    if tools_probe axe && tools_probe vnu; then return 0; fi
    mkdir -p build/npm build/log
    cp tests/book/package.json tests/book/package-lock.json build/npm/
    echo "Installing with npm, for the page tests: axe-core vnu-jar"
    (cd build/npm && npm ci --ignore-scripts --no-audit --no-fund \
        --fetch-retries=1 --fetch-timeout=60000) >build/log/npm.txt 2>&1 ||
        echo "npm could not; what it said is in build/log/npm.txt"
}

# tools_missing KINDS: the rows of the table whose probe fails.
tools_missing() {
    tools_table | while IFS='|' read -r kind key what packages off; do
        case " $1 " in *" $kind "*) ;; *) continue ;; esac
        tools_probe "$key" </dev/null ||
            printf '%s|%s|%s|%s|%s\n' "$kind" "$key" "$what" "$packages" "$off"
    done
}

# tools_as_root COMMAND...: runs it as root; sudo asks at the terminal.
tools_as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif [ -t 0 ]; then
        sudo "$@"
    else
        sudo -n "$@" # nobody could type a password
    fi
}

# tools_apt ARGUMENTS...: apt-get, as root, asking nothing.
tools_apt() {
    tools_as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get -q -y -o DPkg::Lock::Timeout=120 -o Dpkg::Use-Pty=0 "$@"
}

# tools_apt_install PACKAGES...: one update; everything at once, or, where one
# package spoils that, each by itself.
tools_apt_install() {
    lists=fresh
    tools_apt -o APT::Update::Error-Mode=any update || lists=old
    tools_apt install --no-install-recommends "$@" && return 0
    [ "$lists" = fresh ] || return 1
    for package in "$@"; do
        tools_apt install --no-install-recommends "$package" || true
    done
    return 1
}

# tools_packages: the package names in the rows on stdin, on one line.
tools_packages() {
    cut -d'|' -f4 | tr '\n' ' ' | tr -s ' ' | sed 's/^ //; s/ $//'
}

# tools_install ROWS: installs what the rows name, where apt can.
tools_install() {
    packages=$(printf '%s\n' "$1" | tools_packages)
    [ -n "$packages" ] || return 0
    if ! command -v apt-get >/dev/null 2>&1; then
        echo "This is neither Debian nor Ubuntu: please install what is named"
        echo "here yourself (in brackets, what Debian calls it)."
        return 0
    fi
    by_hand="apt-get update && apt-get install $packages"
    if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null 2>&1; then
        echo "Installing needs root, and there is no sudo here. As root, type:"
        echo "  $by_hand"
        return 0
    fi
    log=build/log/apt.txt
    mkdir -p build/log
    echo "Installing with apt: $packages"
    echo "(this can take minutes; what apt says goes to $log)"
    # shellcheck disable=SC2086 # a list of packages
    tools_apt_install $packages >"$log" 2>&1 && return 0
    echo "apt could not install all of that. It said, among the rest:"
    grep -E '^(E|W|Err|sudo)[: ]' "$log" | awk '!seen[$0]++' | head -n 6
    echo "Is there a network, do apt's sources name a mirror that answers,"
    echo "and may you install? Then run this again, or type as root:"
    echo "  $by_hand"
}

# tools_setup KINDS INSTALL: brings in what is missing of these kinds where
# INSTALL is yes, names the rest in a line each, and fails when something
# required is still absent.
tools_setup() {
    missing=$(tools_missing "$1")
    if [ "$2" = yes ] && [ -n "$(printf '%s\n' "$missing" |
        tools_packages)" ]; then
        tools_install "$missing"
        missing=$(tools_missing "$1")
    fi
    case " $1 :$2" in
    *' full '*:yes)
        tools_npm
        missing=$(tools_missing "$1")
        ;;
    esac
    [ -n "$missing" ] || return 0
    printf '%s\n' "$missing" | while IFS='|' read -r _ _ what debian off; do
        echo "not here: $what${debian:+ ($debian)}; switches off: $off"
    done
    if printf '%s\n' "$missing" | grep -q '^required'; then
        [ "$2" = yes ] || echo "Without --no-install this would install it" \
            "(Debian, Ubuntu)."
        echo "Stopping: what is required is not here." >&2
        return 1
    fi
}
