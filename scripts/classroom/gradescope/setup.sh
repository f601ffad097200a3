#!/bin/sh
# Gradescope runs this once, as root, while it makes the autograder's image:
# installs what the workbook needs, builds it, proves that the answers pass
# there, and shuts what no submission may read.
#
#   setup.sh [--no-install]        AUTOGRADER=/elsewhere moves /autograder
set -eu

base=${AUTOGRADER:-/autograder}
source=$base/source
workbook=$source/workbook
umask 022
# shellcheck source=scripts/lib/tools.sh
. "$workbook/scripts/lib/tools.sh"
cd "$workbook"

# install PACKAGES...: by apt, which these images have.
install() {
    DEBIAN_FRONTEND=noninteractive \
        apt-get -q -y install --no-install-recommends "$@"
}

if [ "${1:-}" != --no-install ]; then
    apt-get -q update
    # util-linux: prlimit and setpriv, for the second level of the sandbox
    install gcc libc6-dev cmake ninja-build python3 util-linux bubblewrap
fi

cmake=cmake
if ! tools_probe cmake; then
    # Ubuntu 22.04 has an older one. What pip brings stays in this folder.
    if [ "${1:-}" != --no-install ]; then
        install python3-venv
    fi
    python3 -m venv "$source/tools"
    "$source/tools/bin/pip" -q install 'cmake>=3.25'
    cmake=$source/tools/bin/cmake
fi

generator='Unix Makefiles'
! command -v ninja >/dev/null 2>&1 || generator=Ninja
"$cmake" --preset sim -G "$generator"
"$cmake" --build --preset sim -j "$(nproc)"

# Whoever is graded here meets the same compiler and the same libraries. This
# also builds and keeps what the judge compares with.
for lesson in build/sim/lessons/*/lesson.json; do
    python3 -IS scripts/workbook solution "$lesson"
done

# Without namespaces a submission runs as a user of its own: permissions hide.
# It needs to reach lib/ and the built libraries, and nothing else.
chmod 755 "$base" "$source" "$workbook" build build/sim
chmod -R go-rwx solutions tests book scripts build/sim/judge/kept
chmod 600 "$source/settings.json"
