# shellcheck shell=sh
# What scripts/start and scripts/test share: options, quiet steps with a log,
# and configuring and building a preset. The caller has set `root` and stands in it.
# defines: say_wrong, say_step, build_cores, build_place, build_options,
#          build_preset
# shellcheck disable=SC2034,SC2154 # variables that the caller sets and reads

# say_wrong SENTENCE...: a wrong use of the program; exit 2.
say_wrong() {
    echo "$*" >&2
    echo "Type $0 --help to see what it takes." >&2
    exit 2
}

# build_place: whether a build can be made here; CMake, make and the linker take
# some characters of a path for their own.
build_place() {
    case $root in
    *[,:\;\#\|\$\"\\%]*)
        echo "This folder's name, or that of one above it, holds a character" >&2
        echo 'that CMake or the linker takes for its own (, : ; # | $ % " \):' >&2
        echo "  $root" >&2
        echo 'Move the workbook to a folder without one. Spaces may stay.' >&2
        exit 1
        ;;
    esac
}

# build_options ARGUMENTS...: reads --full, --no-install and --help into
# `full` and `install`; usage() is the caller's.
build_options() {
    full=no
    install=yes
    for argument in "$@"; do
        case $argument in
        --full) full=yes ;;
        --no-install) install=no ;;
        -h | --help)
            usage
            exit 0
            ;;
        *) say_wrong "There is no option \"$argument\" here." ;;
        esac
    done
    build_place
    kinds='required light'
    [ "$full" = no ] || kinds='required light full'
    # ctest knows CLICOLOR; NO_COLOR is what people set.
    [ -z "${NO_COLOR:-}" ] || export CLICOLOR=0
}

# say_progress WHAT LOG: how far a build has come, from its last line in LOG, as
# long as this script runs; ended by who began it.
say_progress() {
    while sleep 1 && kill -0 $$ 2>/dev/null; do
        at=$(tail -n 1 "$2" 2>/dev/null | sed -n 's/^\(\[[0-9 /%]*\]\).*/\1/p')
        [ -z "$at" ] || printf '\r%-34s%s' "$1" "$at"
    done
}

# say_step WHAT LOG COMMAND...: one line for a step, its output in a file; when
# it fails, the end of that file and where the rest is.
say_step() {
    what=$1
    log=$2
    shift 2
    mkdir -p "$(dirname "$log")"
    began=$(date +%s)
    printf '%-34s' "$what"
    progress=
    if [ -t 1 ] && [ "${TERM:-dumb}" != dumb ]; then
        say_progress "$what" "$log" &
        progress=$!
    fi
    status=0
    "$@" >"$log" 2>&1 || status=$?
    if [ -n "$progress" ]; then
        kill "$progress" 2>/dev/null || :
        wait "$progress" 2>/dev/null || :
        printf '\r%-50s\r%-34s' '' "$what"
    fi
    if [ "$status" -eq 0 ]; then
        echo "done in $(($(date +%s) - began)) s"
    else
        echo FAILED
        {
            echo "From $log:"
            say_errors "$log" | sed 's/^/    /'
        } >&2
        return 1
    fi
}

# say_errors LOG: what the compiler found first, without the command that ran
# it; else the first errors of any kind; else how it ends.
say_errors() {
    grep -E -A 3 ':[0-9]+: (fatal )?error: ' "$1" | head -n 24 | grep . ||
        grep -E -A 4 '(^|[ :])([Ee]rror|FAILED|undefined reference)' "$1" |
        head -n 40 | grep . || tail -n 40 "$1"
}

# build_cores: how many jobs at once.
build_cores() {
    nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2
}

# build_preset NAME: configures and builds; both are quick when nothing changed.
# What cannot be built does not keep the rest from it.
build_preset() {
    tree=build/$1
    set -- "$1" --preset "$1"
    # A clone that was moved takes its build tree along; start that afresh.
    if ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" \
        "$tree/CMakeCache.txt" 2>/dev/null; then
        rm -rf "$tree/CMakeCache.txt" "$tree/CMakeFiles" "$tree/build.ninja"
        [ -n "${CMAKE_GENERATOR:-}" ] || ! command -v ninja >/dev/null 2>&1 ||
            set -- "$@" -G Ninja
    fi
    [ -z "${WORKBOOK_AUTHOR:-}" ] ||
        set -- "$@" "-DWORKBOOK_AUTHOR=$WORKBOOK_AUTHOR"
    preset=$1
    shift
    say_step "configuring ($preset)" "$tree/log/configure.txt" \
        cmake "$@" || return 1
    set -- -k
    ! grep -q '^CMAKE_GENERATOR:INTERNAL=Ninja' "$tree/CMakeCache.txt" ||
        set -- -k 0
    say_step "building ($preset)" "$tree/log/build.txt" \
        cmake --build "$tree" -j "$(build_cores)" -- "$@" && return
    echo "When that is put right, type again: $0" >&2
    return 1
}
