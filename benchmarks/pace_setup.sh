#!/bin/sh
# pace_setup.sh FOLDER PROJECT: qemu-user, Debian 13's arm64 Python, the locked wheels for it, and the counter (700 MB)
set -eu
project=$(cd "$2" && pwd)
mkdir -p "$1" && cd "$1" && mkdir -p host root/usr/lib root/usr/bin pylib debs/host apt/lists/partial apt/cache/archives/partial
mirror=$(sed -n 's/^URIs: *//p; s/^deb \(\[[^]]*\] \)\{0,1\}\([^ ]*\) .*main.*/\2/p' \
  /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list 2>/dev/null | head -n 1)
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror trixie main" > apt/sources.list
arm="-o Dir::Etc::sourcelist=$PWD/apt/sources.list -o Dir::Etc::sourceparts=/dev/null -o Dir::State::lists=$PWD/apt/lists
  -o Dir::Cache=$PWD/apt/cache -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User=root"
apt-get -qq $arm update
(cd debs && apt-get -qq $arm download libc6 libgcc-s1 libstdc++6 zlib1g libbz2-1.0 libexpat1 libffi8 liblzma5 \
  libssl3t64 libsqlite3-0 libuuid1 libreadline8t64 libtinfo6 libncursesw6 libzstd1 python3.13 python3.13-minimal \
  libpython3.13-minimal libpython3.13-stdlib libzbar0t64 libjpeg62-turbo libv4l-0t64 libv4lconvert0t64 libdbus-1-3 \
  libsystemd0 libcap2 libx11-6 libxau6 libxcb1 libxdmcp6 media-types tzdata)
ln -sfn usr/lib root/lib && ln -sfn usr/bin root/bin
for deb in debs/*.deb; do dpkg -x "$deb" root; done
(cd debs/host && apt-get -qq download qemu-user libcapstone4 liburing2 && for deb in *.deb; do dpkg -x "$deb" ../../host; done)
gcc -O2 -shared -fPIC "$project/benchmarks/pace_count.c" -o count.so
platforms="--platform manylinux_2_28_aarch64 --platform manylinux_2_17_aarch64 --platform manylinux2014_aarch64"
# pip would judge markers and what a wheel requires by the Python that runs it, not by the one that is asked for
grep -v "full_version < '3.1[0-3]'" "$project/requirements.lock" | grep -oE '^[a-zA-Z0-9_.-]+==[^ ;\\]+' > locked.txt
python3 -m pip -q install --no-deps --ignore-requires-python --target pylib --only-binary=:all: --python-version 3.13 --implementation cp $platforms -r locked.txt
python3 -m pip -q wheel --no-deps -w debs "$project" && (cd pylib && python3 -m zipfile -e ../debs/companion-*.whl whole &&
  mv whole/companion-*.dist-info . && rm -r whole) # the entry points; the code is the project's own
touch ready
