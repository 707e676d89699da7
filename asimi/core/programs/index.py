"""Which file each program is in, and what the files are. Written by `make catalogue`; do not edit."""

from __future__ import annotations

NAMES = {
    "builds": (
        "ant ar astro bazel bazelisk bear c++ c89 c99 cargo cc ccache clang clang++ cmake cpp ctags ctest "
        "dotnet esbuild g++ gcc gfortran gmake go go-task gofmt gofumpt goimports gradle gradlew javac javap "
        "jps just kotlinc ld lipo luac make meson mix mvn mvnd mvnw next ng ninja ninja-build nm nx objcopy "
        "objdump otool parcel protoc rails rake ranlib readelf rollup rustc rustfmt samu sbt sccache size "
        "strip swiftc task tokei tsc tsup turbo vite webpack zig"
    ),
    "checks": (
        "actionlint amtool autopep8 ava bandit basedpyright biome black blue brakeman c8 clang-format "
        "codespell coverage cypress dmypy eslint eslint_d flake8 golangci-lint govulncheck hadolint isort "
        "jest knip ktlint kubeconform markdownlint markdownlint-cli2 mkdocs mocha mypy nbstripout nodemon nox "
        "nyc oxlint php-cs-fixer phpstan phpunit pint playwright prettier promtool py.test pycodestyle "
        "pydocstyle pyflakes pylint pyright pytest pyupgrade rspec rubocop ruff shellcheck shfmt sqlfluff "
        "standard standardrb staticcheck stylelint svelte-check swiftformat tap taplo tox typos unittest "
        "vitest vue-tsc vulture xo yamllint yapf"
    ),
    "cloud": (
        "ansible ansible-console ansible-doc ansible-galaxy ansible-inventory ansible-playbook ansible-pull "
        "ansible-vault aws az bq consul doctl fab fly flyctl gcloud gsutil heroku ibmcloud knife netlify "
        "nomad openstack packer pulumi salt salt-call salt-ssh terraform tofu vault vercel wrangler"
    ),
    "clusters": (
        "adb apptainer clush crictl distrobox dsh mpiexec mpirun multipass orterun parallel-ssh pdsh prun "
        "pssh rclone salloc sbatch singularity srun tailscale toolbox tsh wsl wsl.exe"
    ),
    "containers": (
        "buildah buildx crane crun docker docker-buildx docker-compose eksctl gcrane helm incus k3d kind "
        "kubectl kubectx kubens kubeseal kustomize lima limactl lxc minikube nerdctl oc podman podman-compose "
        "runc skopeo vagrant virsh"
    ),
    "databases": (
        "clusterdb createdb createuser dbt dolt dropdb dropuser duckdb etcdctl mariadb mariadb-admin "
        "mariadb-check mariadb-dump mariadb-import mariadb-show mongo mongodump mongoexport mongoimport "
        "mongorestore mongosh mysql mysqladmin mysqlcheck mysqldump mysqlimport mysqlshow pg_basebackup "
        "pg_dump pg_dumpall pg_isready pg_restore pgbench psql redis-cli reindexdb sqlite3 vacuumdb "
        "valkey-cli"
    ),
    "editors": (
        "alacritty byobu code code-insiders codium cursor ed emacs emacsclient evim ex foot ghostty "
        "gnome-terminal gview gvim gvimdiff helix hx jmacs joe jpico jstar kak kitty konsole lf micro nano "
        "nvim pico ranger red rgvim rjoe rnano rview rvim rxvt screen st subl terminator tmux urxvt uxterm vi "
        "view vim vimdiff wezterm x-terminal-emulator xfce4-terminal xterm zellij"
    ),
    "files": (
        "7z 7za 7zr 7zz basename brotli bsdtar bunzip2 bzcat bzip2 chattr chcon chgrp chmod chown compress cp "
        "cpio csplit dd df dir dirname dos2unix du duf exa eza fallocate fd fdfind file file-rename find "
        "findmnt getcap getfacl gunzip gzcat gzip install link ln locate ls lsattr lsd lz4 lz4cat lzcat lzip "
        "lzma mac2unix mkdir mkfifo mknod mktemp mlocate mount mount.fuse mv namei p7zip patch pigz plocate "
        "prename pv readlink realpath rename restorecon rm rmdir rsync setcap setfacl shred split sponge srm "
        "sshfs stat tar tee touch trash trash-empty trash-list trash-put trash-restore trash-rm tree truncate "
        "umount uncompress unix2dos unix2mac unlink unlz4 unlzma unpigz unrar unxz unzip unzstd vdir whereis "
        "which xz xzcat zcat zip zipinfo zstd zstdcat zstdmt"
    ),
    "forges": ("gh glab"),
    "git": (
        "git git-filter-repo git-http-backend git-lfs git-receive-pack git-shell git-upload-archive git-upload-pack"
    ),
    "images": (
        "bmptopnm circo dot fdp ffmpeg ffprobe fitstopnm ilbmtoppm imgtoppm neato osage palmtopnm "
        "pambackground pambrighten pamchannel pamcrater pamcut pamdeinterlace pamditherbw pamfile pamfix "
        "pamflip pampick pamscale pamstack pamtogif pamtopam pamtotga patchwork pbmlife pbmreduce pbmtoepsi "
        "pbmtoescp2 pbmtomacp pbmtoptx pbmtoxbm pcxtoppm pgmmake pgmtopbm pgmtoppm pgmtost4 pi1toppm pngtopam "
        "pnmalias pnmcolormap pnmconvol pnmcrop pnmhistmap pnmnorm pnmpad pnmpaste pnmrotate pnmsmooth "
        "pnmtopalm pnmtopng pnmtotiffcmyk pnmtoxwd ppmcie ppmcolormask ppmdither ppmforge ppmglobe ppmhist "
        "ppmlabel ppmmake ppmpat ppmtoacad ppmtoapplevol ppmtobmp ppmtoeyuv ppmtoleaf ppmtomitsu ppmtopcx "
        "ppmtopgm ppmtopi1 ppmtosixel ppmtospu ppmtoxpm ppmwheel qrttoppm rawtopgm rawtoppm rgb3toppm "
        "rlatopam sfdp sgitopnm sirtopnm twopi"
    ),
    "interpreters": (
        "Rscript dart deno elixir flutter groovy iex ipython irb java julia lua luajit manage.py node nodejs "
        "osascript perl php pypy pypy3 python python2 python3 ruby scala swift tclsh ts-node ts-node-esm tsx"
    ),
    "network": (
        "ab aria2c autossh caddy curl dig ftp gpg gpg-agent gpg-connect-agent gpg2 gpgv haproxy hey host http "
        "https iperf3 lftp mail mailx mosh mtr mutt nc ncat neomutt netcat nginx nmap nslookup openssl ping "
        "ping6 rlogin rsh s-nail scp sendmail sftp socat ssh ssh-add ssh-copy-id ssh-keygen ssh-keyscan "
        "telnet tracepath traceroute traceroute6 wget whois wrk xh xhs youtube-dl yt-dlp"
    ),
    "packages": (
        "add-apt-repository apk apt apt-add-repository apt-cache apt-get apt-mark aptitude asdf brew bun "
        "bundle bundler bunx composer conda corepack cpan cpanm devbox dnf dpkg dpkg-deb dpkg-query fnm gem "
        "hatch lerna luarocks mamba microdnf micromamba mise nix nix-env nix-shell npm npx nvm opam pacman "
        "pdm pip pipdeptree pipenv pipx pixi pn pnpm pnpx pnx poetry port pyenv rbenv rpm rtx rustup rye snap "
        "twine uv uvx volta yarn yarnpkg yum zypper"
    ),
    "shells": (
        ". : alias ash bash bg bind break bsd-csh builtin caller cd command compgen complete compopt continue "
        "csh dash declare dirs disown elvish enable eval exec exit export fc fg fish getopts hash help "
        "history jobs ksh ksh93 let local logout mapfile mksh nu oksh osh pdksh popd powershell pushd pwd "
        "pwsh rbash read readarray readonly return rzsh set sh shift shopt source suspend tcsh times trap "
        "type typeset ulimit umask unalias unset wait xonsh yash zsh"
    ),
    "starters": (
        "abduco arch authbind aws-vault bpftrace busybox bwrap caffeinate capsh catatonit catchsegv cgexec "
        "chamber chokidar choom chpst chronic chroot chrt concurrently coreutils cpulimit cross-env "
        "cross-env-shell daemon daemonize dbus-launch dbus-run-session direnv doas doppler dotenv dtach "
        "dumb-init eatmydata entr env env-cmd env_parallel envdir envuidgid expect fakechroot fakeroot "
        "faketime firejail flatpak flatpak-spawn flock gdb gdb-multiarch gdbserver gdbtui gosu heaptrack "
        "hyperfine i386 i486 i586 i686 ifne ionice ld.so ld64.so linux32 linux64 lldb logsave ltrace mispipe "
        "multitime newgrp nice nocache nohup npm-run-all npm-run-all2 nq nsenter numactl onchange op parallel "
        "pee perf pgrphack pkexec prlimit proot proxychains proxychains4 pueue rlwrap rr run-p run-s run0 "
        "runuser rust-gdb rust-lldb s6-applyuidgid s6-background s6-envdir s6-envuidgid s6-fghack s6-setlock "
        "s6-setsid s6-setuidgid s6-softlimit sandbox-exec schroot script scriptlive sem server-test setarch "
        "setlock setpriv setsid setuidgid sg softlimit sops ssh-agent sshpass start-server-and-test "
        "start-stop-daemon start-test stdbuf strace su su-exec sudo sudoedit summon systemd-cat "
        "systemd-inhibit systemd-nspawn systemd-run systemd-socket-activate taskset time timelimit timeout "
        "tini tini-static torify torsocks toybox trickle ts tsocks tsp uclampset uname26 unbuffer unshare "
        "uutils valgrind watch watchexec wine wine64 winpty with-contenv x86_64 xargs xcrun xvfb-run"
    ),
    "system": (
        "PlistBuddy aapt aapt2 addgroup adduser agvtool anacron apkanalyzer apksigner arp arptables at atop "
        "atq atrm badblocks batch blkdiscard blkid bridge btop btrfs busctl cfdisk cgdisk chage chfn "
        "chgpasswd chpasswd chsh clear codesign crontab cryptsetup csrutil debugfs delgroup deluser depmod "
        "devlink diskutil dmesg dmsetup dscl e2fsck ebtables emulator ethtool faillock fdisk firewall-cmd "
        "free fsck fstrim fuser gdisk getconf getent gpasswd groupadd groupdel groupmod groups halt hdiutil "
        "hdparm hostid hostname hostnamectl htop id ifconfig init initctl insmod invoke-rc.d iostat iotop ip "
        "ip6tables ip6tables-legacy ip6tables-nft ip6tables-restore ip6tables-save ipcs ipset iptables "
        "iptables-legacy iptables-nft iptables-restore iptables-save iw iwconfig journalctl kexec kill "
        "killall last lastb lastlog launchctl ldconfig locale localectl logger loginctl logrotate losetup "
        "lsb_release lsblk lscpu lshw lsipc lslocks lslogins lsmem lsmod lsns lsof lspci lsusb lvcreate "
        "lvdisplay lvextend lvremove lvs machinectl mdadm mdls mesg mke2fs mkfs mkswap modinfo modprobe "
        "mpstat netstat networkctl newgidmap newuidmap newusers nft nmcli nproc nvidia-smi nvme parted "
        "partprobe passwd pgrep pidof pidstat pidwait pkill plutil pmap poweroff printenv ps pstree pvcreate "
        "pvdisplay pvremove pvs pwconv pwdx rc-service rc-update rdma reboot renice resize2fs resolvectl "
        "rfkill rmmod route s6-rc s6-svc sar security sensors service sfdisk sgdisk shutdown simctl sips "
        "skill slabtop sleep smartctl snice spctl ss supervisorctl sv svc sw_vers swapoff swapon sysctl "
        "systemctl systemd-analyze tc tccutil tcpdump telinit timedatectl tload tmutil top tput tty tune2fs "
        "udevadm ufw uname update-alternatives update-rc.d uptime useradd userdel usermod users vgcreate "
        "vgdisplay vgremove vgs vigr vipw visudo vmstat w wall wg who whoami wipefs write xcode-select "
        "xcodebuild xfs_repair xkill zfs zpool"
    ),
    "text": (
        "[ ack ag apropos awk b2sum base32 base64 basenc bat batcat bc bzgrep bzless cal cat cksum cmp col "
        "colordiff colrm column comm csvcut csvgrep csvjoin csvjson csvlook csvsort csvstack csvstat cut "
        "datamash date dc delta diff diff3 difft echo egrep envsubst exiftool expand expr factor false fgrep "
        "fmt fold fzf gawk grep gron h5dump hd head hexdump hexyl iconv in2csv info join jq less look m4 man "
        "mawk md5sum mlr more nawk ncal ncdump nl numfmt od original-awk pandoc paste pdffonts pdfinfo "
        "pngcheck pr printf rev rg rgrep sdiff sed seq sha1sum sha224sum sha256sum sha384sum sha512sum shasum "
        "shuf sort strings sum tac tail test tidy tldr tomlq tr true tsort ul unexpand uniq wc wdiff whatis "
        "xmllint xq xsltproc xsv xxd xzgrep xzless yes yq zegrep zfgrep zgrep zless zmore"
    ),
    "version_control": ("chg dvc hg jj pre-commit svn svnlook svnmucc svnrdump svnsync"),
}
"""The names of the programs, by family."""

BEGINNINGS = {
    "ld-linux": "ld.so",
    "ld-musl": "ld.so",
    "mkfs.": "mkfs",
    "mount.": "mount.fuse",
}
"""Beginnings of names, and the program that they stand for."""

SUMS = {
    "builds": 548416899,
    "checks": 2268032997,
    "cloud": 3804227279,
    "clusters": 3589352182,
    "containers": 2355208800,
    "databases": 196214355,
    "editors": 3082332814,
    "files": 2400596106,
    "forges": 2644737444,
    "git": 165556389,
    "images": 1966300180,
    "interpreters": 3852192842,
    "network": 2549055255,
    "packages": 522327663,
    "shells": 1919215787,
    "starters": 1672348560,
    "system": 283623131,
    "text": 372087848,
    "version_control": 3543436626,
}
"""The CRC-32 of each file."""
