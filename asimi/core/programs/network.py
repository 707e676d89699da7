"""Programs that talk to other machines.

From the manuals of curl 7.88 and 8.16, Wget 1.21, aria2 1.36, HTTPie 3.2, yt-dlp 2023.03, OpenBSD netcat 1.219, Ncat
and Nmap 7.93, OpenSSH 9.2, mosh 1.4, OpenSSL 3.0, GnuPG 2.2, BIND 9.18, traceroute 2.1, mtr 0.95, iperf 3.12, LFTP 4.9,
s-nail 14.9, Mutt 2.2.
"""

from __future__ import annotations

from asimi.core.programs.program import Program, Starts

PROGRAMS = (
    Program(
        "curl",
        options=(
            "--anyauth -a,--append+publish --aws-sigv4= --basic --ca-native --cacert=read --capath=read "
            "-E,--cert=read --cert-status --cert-type= --ciphers= --compressed --compressed-ssh --connect-timeout= "
            "--connect-to= -C,--continue-at= -b,--cookie=+read --create-dirs --create-file-mode= --crlf "
            "--crlfile=read --curves= -d,--data=+read+publish --data-ascii=+read+publish --data-binary=+read+publish "
            "--data-raw=+publish --data-urlencode=+read+publish --delegation= --digest -q,--disable --disable-eprt "
            "--disable-epsv --disallow-username-in-url --dns-interface= --dns-ipv4-addr= --dns-ipv6-addr= "
            "--dns-servers= --doh-cert-status --doh-insecure --doh-url= --dump-ca-embed --ech= --egd-file= "
            "--etag-compare=read --expect100-timeout= -f,--fail --fail-early --fail-with-body --false-start --follow "
            "-F,--form=+read+publish --form-escape --form-string=+publish --ftp-account= --ftp-alternative-to-user= "
            "--ftp-create-dirs --ftp-method= --ftp-pasv -P,--ftp-port= --ftp-pret --ftp-skip-pasv-ip --ftp-ssl-ccc "
            "--ftp-ssl-ccc-mode= --ftp-ssl-control -G,--get -g,--globoff --happy-eyeballs-timeout-ms= "
            "--haproxy-clientip= --haproxy-protocol -I,--head -H,--header=+read -h,--help!none --hostpubmd5= "
            "--hostpubsha256= --http0.9 -0,--http1.0 --http1.1 --http2 --http2-prior-knowledge --http3 --http3-only "
            "--ignore-content-length -i,--include,--show-headers -k,--insecure --interface= --ip-tos= --ipfs-gateway= "
            "-4,--ipv4 -6,--ipv6 --json=+read+publish -j,--junk-session-cookies --keepalive-cnt= --keepalive-time= "
            "--key=read --key-type= --knownhosts=read --krb= --limit-rate= -l,--list-only --local-port= -L,--location "
            "--location-trusted --login-options= --mail-auth= --mail-from= --mail-rcpt=+publish "
            "--mail-rcpt-allowfails -M,--manual!none --max-filesize= --max-redirs= -m,--max-time= --metalink --mptcp "
            "--negotiate -n,--netrc+read --netrc-file=read --netrc-optional+read -:,--next --no-alpn -N,--no-buffer "
            "--no-clobber --no-keepalive --no-npn --no-progress-meter --no-sessionid --noproxy= --ntlm --ntlm-wb "
            "--oauth2-bearer= --out-null -Z,--parallel --parallel-immediate --parallel-max= --parallel-max-host= "
            "--pass= --path-as-is --pinnedpubkey= --post301 --post302 --post303 --preproxy= -#,--progress-bar "
            "--proto= --proto-default= --proto-redir= -x,--proxy= --proxy-anyauth --proxy-basic --proxy-ca-native "
            "--proxy-cacert=read --proxy-capath=read --proxy-cert=read --proxy-cert-type= --proxy-ciphers= "
            "--proxy-crlfile=read --proxy-digest --proxy-header= --proxy-http2 --proxy-insecure --proxy-key=read "
            "--proxy-key-type= --proxy-negotiate --proxy-ntlm --proxy-pass= --proxy-pinnedpubkey= "
            "--proxy-service-name= --proxy-ssl-allow-beast --proxy-ssl-auto-client-cert --proxy-tls13-ciphers= "
            "--proxy-tlsauthtype= --proxy-tlspassword= --proxy-tlsuser= --proxy-tlsv1 -U,--proxy-user= --proxy1.0= "
            "-p,--proxytunnel --pubkey=read -Q,--quote=+publish --random-file=read -r,--range= --rate= --raw "
            "-e,--referer= -R,--remote-time --remove-on-error -X,--request=+publish --request-target= --resolve= "
            "--retry= --retry-all-errors --retry-connrefused --retry-delay= --retry-max-time= --sasl-authzid= "
            "--sasl-ir --service-name= -S,--show-error --sigalgs= -s,--silent --skip-existing --socks4= --socks4a= "
            "--socks5= --socks5-basic --socks5-gssapi --socks5-gssapi-nec --socks5-gssapi-service= --socks5-hostname= "
            "-Y,--speed-limit= -y,--speed-time= --ssl --ssl-allow-beast --ssl-auto-client-cert --ssl-no-revoke "
            "--ssl-reqd --ssl-revoke-best-effort -2,--sslv2 -3,--sslv3 --styled-output --suppress-connect-headers "
            "--tcp-fastopen --tcp-nodelay -t,--telnet-option=+publish --tftp-blksize= --tftp-no-options "
            "-z,--time-cond= --tls-earlydata --tls-max= --tls13-ciphers= --tlsauthtype= --tlspassword= --tlsuser= "
            "-1,--tlsv1 --tlsv1.0 --tlsv1.1 --tlsv1.2 --tlsv1.3 --tr-encoding --trace-config= --trace-ids "
            "--trace-time --upload-flags= -T,--upload-file=read+publish --url= --url-query=+read -B,--use-ascii "
            "-u,--user= -A,--user-agent= --variable=+read -v,--verbose -V,--version!none --vlan-priority= "
            "-w,--write-out=WRITEOUT --xattr"
        ),
        writes=(
            "--alt-svc=NOWHERE -c,--cookie-jar=NOWHERE -D,--dump-header=NOWHERE --etag-save=NOWHERE --hsts=NOWHERE "
            "--libcurl=NOWHERE -o,--output=NOWHERE --output-dir= -J,--remote-header-name -O,--remote-name "
            "--remote-name-all --ssl-sessions=NOWHERE --stderr=NOWHERE --trace=NOWHERE --trace-ascii=NOWHERE"
        ),
        runs="--abstract-unix-socket= -K,--config= --engine= --expand-* --unix-socket=",
        operands="data*",
        syntax="no",
        traits="fetches wide writes",
        effects="network",
        can="network; writes: -o, -O, --output",
    ),
    Program(
        "wget",
        options=(
            "-A,--accept= --accept-regex= -E,--adjust-extension,--html-extension --ask-password --auth-no-challenge "
            "-b,--background -K,--backup-converted --backups[=] -B,--base= --bind-address= --body-data=+publish "
            "--body-file=read+publish --ca-certificate=read --ca-directory=read --cache --certificate=read "
            "--certificate-type= --check-certificate[=] --ciphers= --clobber --compression= --connect-timeout= "
            "--content-on-error -c,--continue --convert-file-only -k,--convert-links --cookies --crl-file=read "
            "--cut-dirs= -d,--debug --default-page= --delete-after+delete --directories --dns-cache --dns-timeout= "
            "-D,--domains= -X,--exclude-directories= --exclude-domains= --follow-ftp --follow-tags= "
            "-x,--force-directories -F,--force-html --ftp-password= --ftp-user= --ftps-clear-data-connection "
            "--ftps-fallback-to-ftp --ftps-implicit --ftps-resume-ssl -G,--ignore-tags= --glob --header= "
            "-h,--help!none --host-directories --hsts --http-keep-alive --http-password= --http-user= --https-only "
            "--if-modified-since --ignore-case --ignore-length -I,--include-directories= -4,--inet4-only "
            "-6,--inet6-only -i,--input-file=read --iri --keep-badhash --keep-session-cookies -l,--level= "
            "--limit-rate= --load-cookies=read --local-encoding= --max-redirect= --method=+publish -m,--mirror -n[=] "
            "--netrc --no-config --no-parent -p,--page-requisites --parent --passive-ftp --password= --pinnedpubkey= "
            "--post-data=+publish --post-file=read+publish --prefer-family= --preferred-location= "
            "--preserve-permissions --private-key=read --private-key-type= --progress= --protocol-directories --proxy "
            "--proxy-password= --proxy-user= -q,--quiet -Q,--quota= --random-wait --read-timeout= -r,--recursive "
            "--referer= --regex-type= -R,--reject= --reject-regex= -L,--relative --remote-encoding= --remove-listing "
            "--report-speed= --restrict-file-names= --retr-symlinks --retry-connrefused --retry-on-http-error= "
            "--save-headers --secure-protocol= -S,--server-response --show-progress -H,--span-hosts --spider "
            "--start-pos= --strict-comments -T,--timeout= -N,--timestamping -t,--tries= --use-server-timestamps "
            "--user= -U,--user-agent= -v,--verbose -V,--version!none -w,--wait= --waitretry= --warc-cdx "
            "--warc-compression --warc-dedup=read --warc-digests --warc-header= --warc-keep-log --warc-max-size= "
            "--xattr"
        ),
        writes=(
            "-a,--append-output=NOWHERE --content-disposition -P,--directory-prefix= --hsts-file= --input-metalink= "
            "-O,--output-document=NOWHERE -o,--output-file=NOWHERE --rejected-log= --save-cookies= "
            "--trust-server-names --unlink --warc-file= --warc-tempdir="
        ),
        runs="--config= -e,--execute= --use-askpass=",
        operands="data*",
        syntax="no",
        traits="fetches wide writes",
        effects="write network",
        can="network; writes",
    ),
    Program(
        "aria2c",
        options=(
            "--all-proxy-passwd= --all-proxy-user= --all-proxy= --allow-piece-length-change[=] --always-resume[=] "
            "--async-dns-server= --async-dns[=] --auto-file-renaming[=] --auto-save-interval= --bt-detach-seed-only[=] "
            "--bt-enable-hook-after-hash-check[=] --bt-enable-lpd[=] --bt-exclude-tracker= --bt-external-ip= "
            "--bt-force-encryption[=] --bt-hash-check-seed[=] --bt-load-saved-metadata[=] --bt-lpd-interface= "
            "--bt-max-open-files= --bt-max-peers= --bt-metadata-only[=] --bt-min-crypto-level= --bt-prioritize-piece= "
            "--bt-request-peer-speed-limit= --bt-require-crypto[=] --bt-save-metadata[=] --bt-seed-unverified[=] "
            "--bt-stop-timeout= --bt-tracker-connect-timeout= --bt-tracker-interval= --bt-tracker-timeout= "
            "--bt-tracker= --ca-certificate= --certificate= --check-certificate[=] -V,--check-integrity[=] --checksum= "
            "--conditional-get[=] --connect-timeout= --console-log-level= --content-disposition-default-utf8[=] "
            "-c,--continue[=] -D,--daemon[=] --deferred-input[=] --dht-entry-point6= --dht-entry-point= "
            "--dht-listen-addr6= --dht-listen-port= --dht-message-timeout= --disable-ipv6[=] --disk-cache= "
            "--download-result= --dry-run[=] --dscp= --enable-async-dns6[=] --enable-color[=] --enable-dht6[=] "
            "--enable-dht[=] --enable-http-keep-alive[=] --enable-http-pipelining[=] --enable-mmap[=] "
            "--enable-peer-exchange[=] --event-poll= --file-allocation= --follow-metalink= --follow-torrent= "
            "--force-save[=] -Z,--force-sequential[=] --ftp-passwd= -p,--ftp-pasv[=] --ftp-proxy-passwd= "
            "--ftp-proxy-user= --ftp-proxy= --ftp-reuse-connection[=] --ftp-type= --ftp-user= --gid= "
            "--hash-check-only[=] --header= -h,--help[=] --http-accept-gzip[=] --http-auth-challenge[=] "
            "--http-no-cache[=] --http-passwd= --http-proxy-passwd= --http-proxy-user= --http-proxy= --http-user= "
            "--https-proxy-passwd= --https-proxy-user= --https-proxy= --human-readable[=] --interface= "
            "--keep-unfinished-download-result[=] --listen-port= --load-cookies= --log-level= --lowest-speed-limit= "
            "-j,--max-concurrent-downloads= -x,--max-connection-per-server= --max-download-limit= "
            "--max-download-result= --max-file-not-found= --max-mmap-limit= --max-overall-download-limit= "
            "--max-overall-upload-limit= --max-resume-failure-tries= -m,--max-tries= -u,--max-upload-limit= "
            "--metalink-base-uri= --metalink-enable-unique-protocol[=] -M,--metalink-file= --metalink-language= "
            "--metalink-location= --metalink-os= --metalink-preferred-protocol= --metalink-version= "
            "-k,--min-split-size= --min-tls-version= --multiple-interface= --netrc-path= --no-conf[=] "
            "--no-file-allocation-limit= -n,--no-netrc[=] --no-proxy= --optimize-concurrent-downloads[=] "
            "-P,--parameterized-uri[=] --pause-metadata[=] --pause[=] --peer-agent= --peer-id-prefix= --piece-length= "
            "--private-key= --proxy-method= -q,--quiet[=] --realtime-chunk-checksum[=] --referer= -R,--remote-time[=] "
            "--retry-wait= --reuse-uri[=] --rlimit-nofile= --rpc-allow-origin-all[=] --rpc-certificate= "
            "--rpc-listen-all[=] --rpc-listen-port= --rpc-max-request-size= --rpc-passwd= --rpc-private-key= "
            "--rpc-save-upload-metadata[=] --rpc-secret= --rpc-secure[=] --rpc-user= --save-not-found[=] "
            "--save-session-interval= --seed-ratio= --seed-time= --select-file= --server-stat-if= "
            "--server-stat-timeout= --show-console-readout[=] -S,--show-files[=] --socket-recv-buffer-size= "
            "-s,--split= --ssh-host-key-md= --stderr[=] --stop-with-process= --stop= --stream-piece-selector= "
            "--summary-interval= -t,--timeout= -T,--torrent-file= --truncate-console-readout[=] --uri-selector= "
            "--use-head[=] -U,--user-agent= -v,--version"
        ),
        writes=(
            "--allow-overwrite[=] --bt-remove-unselected-file[=] --dht-file-path6= --dht-file-path= -d,--dir= "
            "-O,--index-out= -l,--log= -o,--out= --remove-control-file[=] --save-cookies= --save-session= "
            "--server-stat-of="
        ),
        runs=(
            "--conf-path= --enable-rpc[=] -i,--input-file= --on-bt-download-complete= --on-download-complete= "
            "--on-download-error= --on-download-pause= --on-download-start= --on-download-stop="
        ),
        operands="data*",
        traits="fetches",
        effects="write network",
        can="network; writes",
    ),
    Program(
        "http",
        aliases="https xh xhs",
        options=(
            "--all -a,--auth= -A,--auth-type= -b,--body --boundary= --cert=read --cert-key=read --cert-key-pass= "
            "--check-status --chunked --ciphers= -x,--compress -c,--continue --curl --curl-long --debug "
            "--default-scheme= -F,--follow -f,--form --format-options= -h,--headers --help --http-version= "
            "-I,--ignore-stdin --ignore-netrc -j,--json --manual --max-headers= --max-redirects= -m,--meta --multipart "
            "--offline --path-as-is --pretty= -p,--print= --proxy= -q,--quiet --raw= --response-charset= "
            "--response-mime= --session-read-only=read --sorted --ssl= -S,--stream -s,--style= --timeout= --traceback "
            "--unsorted -v,--verbose --verify= --version"
        ),
        writes="-d,--download -o,--output=NOWHERE --session=",
        operands="data*",
        traits="fetches",
        effects="network publish",
        can="network",
    ),
    Program(
        "nc",
        aliases="netcat",
        options="-46bCDdFhklNnrStuvZz -I= -i= -M= -m= -O= -P= -p= -q= -s= -T= -V= -W= -w= -X= -x= -g= -G=",
        writes="-o= --output= --hex-dump=",
        runs="-U --unixsock -c= -e= --exec= --lua-exec= --sh-exec=",
        operands="data*",
        traits="fetches wide",
        effects="network",
        can="network",
    ),
    Program(
        "ncat",
        options=(
            "-4 -6 --allow= --allowfile=read --append-output --broker --chat -C,--crlf -d,--delay= --deny= "
            "--denyfile=read -g= -G= -h,--help -i,--idle-timeout= -k,--keep-open -l,--listen -m,--max-conns= "
            "--no-shutdown -n,--nodns --proxy= --proxy-auth= --proxy-dns= --proxy-type= --recv-only --sctp --send-only "
            "-s,--source= -p,--source-port= --ssl --ssl-alpn= --ssl-cert=read --ssl-ciphers= --ssl-key=read "
            "--ssl-servername= --ssl-trustfile=read --ssl-verify -t,--telnet -u,--udp -v,--verbose "
            "--version --vsock -w,--wait= -z"
        ),
        writes="-x,--hex-dump= -o,--output=",
        runs="-U,--unixsock -e,--exec= --lua-exec= -c,--sh-exec=",
        operands="data*",
        traits="fetches wide",
        effects="network",
        can="network",
    ),
    Program("socat", traits="embeds opaque wide", can="network"),
    Program(
        "telnet",
        options="-468acdEFfKLrx -b= -e= -k= -l= -S= -X=",
        writes="-n=",
        operands="data*",
        traits="input",
        effects="network",
        can="network",
    ),
    Program("ftp", operands="data*", traits="input wide", effects="write network", can="network"),
    Program(
        "lftp",
        options="-d -h,--help -p= -u= -v,--version",
        runs="-c= -e= -f= --norc --rcfile=",
        operands="data*",
        traits="input wide",
        effects="write network publish",
        can="network; writes",
    ),
    Program(
        "ssh",
        options=("-46AaCfgKkMnqsTtvXxYy -B= -b= -c= -D= -e= -i=read -J=JUMP -L= -l= -m= -o=SSHOPTION -P= -p= -R= -w="),
        writes="-E=NOWHERE",
        runs="-F= -I= -S=",
        inert="-G!read+code -N -O= -Q=!none -V!none -W=",
        syntax="late",
        starts=Starts(operands=1, joined=True, input="text", optional=True, loose=True),
        traits="interprets",
        effects="network",
        can="remote",
    ),
    Program(
        "scp",
        options="-346ABCOpqRrsTv -c= -i=read -J=JUMP -l= -o=SSHOPTION -P= -X=",
        runs="-D= -F= -S=",
        operands="read* write",
        traits="fetches wide writes",
        effects="read write network publish",
        can="remote; writes",
    ),
    Program(
        "sftp",
        options="-46AaCfNpqrv -B= -c= -i=read -J=JUMP -l= -o=SSHOPTION -P= -R= -s= -X=",
        runs="-b= -D= -F= -S=",
        operands="data*",
        traits="input wide writes",
        effects="read write network publish",
        can="remote; writes",
    ),
    Program(
        "mosh",
        options=(
            "-4 -6 -a -n -o --bind-server= --experimental-remote-ip= --family= --help --init --local --no-init "
            "--no-ssh-pty -p,--port= --predict= --predict-overwrite --ssh-pty --version"
        ),
        runs="--client= --server= --ssh=SSH",
        starts=Starts(operands=1, optional=True, loose=True),
        effects="network",
        can="remote",
    ),
    Program(
        "rsh",
        aliases="rlogin",
        options="-468dEFfKLNnx -k= -l=",
        starts=Starts(operands=1, joined=True, optional=True, loose=True),
        effects="network",
        can="remote",
    ),
    Program(
        "ssh-add",
        options="-cDdKkqvXx -l!read -L!read -E= -H=read -h= -T -t=",
        runs="-e= -S= -s=",
        operands="read*",
        effects="system",
        can="secrets",
    ),
    Program(
        "ssh-copy-id",
        options="-fnsx -h!none -i=read -o=SSHOPTION -p= -t=",
        runs="-F=",
        operands="data*",
        effects="read network publish",
        can="accounts; remote",
    ),
    Program(
        "ssh-keygen",
        options=(
            "-ceghHikopqQuUvxX -B!read -l!read -L!read -y!read -a= -b= -C= -E= -F= -I= -m= -N= -n= -O= -P= -R= -r= "
            "-s=read -t= -V= -Y= -Z= -z="
        ),
        writes="-A -f= -K -M=",
        runs="-D= -w=",
        operands="read*",
        effects="read write",
        can="writes",
    ),
    Program(
        "ssh-keyscan", options="-46cDHv -f=read -O= -p= -q -T= -t=", operands="data*", effects="network", can="network"
    ),
    Program(
        "autossh",
        options=(
            "-46AaCfGgKkNnqsTtVvXxYy -B= -b= -c= -D= -e= -i=read -J=JUMP -L= -l= -M= -m= -O= -o=SSHOPTION -P= -p= -Q= "
            "-R= -W= -w="
        ),
        writes="-E=NOWHERE",
        runs="-F= -I= -S=",
        syntax="late",
        starts=Starts(operands=1, joined=True, optional=True, loose=True),
        effects="network",
        can="remote",
    ),
    Program(
        "ping",
        aliases="ping6",
        options="-46aAbBCdDefhLnOqrRUvV -c= -F= -i= -I= -l= -m= -M= -N= -p= -Q= -s= -S= -t= -T= -w= -W=",
        operands="data*",
        effects="network",
        can="network",
    ),
    Program(
        "dig",
        options="-46mruv -b= -c= -f=read -h!none -k=read -p= -q= -t= -x= -y=",
        operands="data*",
        effects="network",
        can="network",
    ),
    Program(
        "host",
        options="-46aACdilrsTUvw -c= -m= -N= -p= -R= -t= -V!none -W=",
        operands="data*",
        effects="network",
        can="network",
    ),
    Program(
        "nslookup",
        options=(
            "-query= -querytype= -type= -class= -timeout= -port= -retry= -debug -nodebug -vc -novc -recurse "
            "-norecurse -version!none"
        ),
        operands="data*",
        syntax="words",
        effects="network",
        can="network",
    ),
    Program(
        "whois",
        options=(
            "-aBbcdGHIKlLmMrRx -h,--host= -p,--port= -g= -i= -q= -s= -t= -T= -v= --no-recursion --verbose --help!none "
            "--version!none"
        ),
        operands="data*",
        effects="network",
        can="network",
    ),
    Program(
        "traceroute",
        aliases="traceroute6",
        options=(
            "-46IdFnreATUD -f,--first= -g,--gateway= -i,--interface= -m,--max-hops= -N,--sim-queries= -p,--port= "
            "-t,--tos= -l,--flowlabel= -w,--wait= -q,--queries= -s,--source= -z,--sendwait= -V,--version!none "
            "--sport= --fwmark= -M,--module= -O,--options= -P,--protocol= --mtu --back --icmp --tcp --udp --help!none"
        ),
        operands="data*",
        effects="network",
        can="network",
    ),
    Program("tracepath", options="-46nb -l= -m= -p= -V!none", operands="data*", effects="network", can="network"),
    Program(
        "mtr",
        options=(
            "-46 -h,--help!none -v,--version!none -F,--filename=read -r,--report -w,--report-wide -x,--xml "
            "-t,--curses --displaymode= -g,--gtk -l,--raw -C,--csv -j,--json -p,--split -n,--no-dns -b,--show-ips "
            "-o,--order= -y,--ipinfo= -z,--aslookup -i,--interval= -c,--report-cycles= -s,--psize= -B,--bitpattern= "
            "-G,--gracetime= -Q,--tos= -e,--mpls -I,--interface= -a,--address= -f,--first-ttl= -m,--max-ttl= "
            "-U,--max-unknown= -u,--udp -T,--tcp -S,--sctp -P,--port= -L,--localport= -Z,--timeout= -M,--mark="
        ),
        operands="data*",
        effects="network",
        can="network",
    ),
    Program(
        "iperf3",
        options=(
            "-46BDdhiNRVvZ -A= -B= -b= -C= -c= -f= -i= -k= -L= -l= -M= -m= -n= -O= -P= -p= -S= -T= -t= -w= -X= "
            "-s,--server --json -J -u,--udp"
        ),
        writes="--logfile= -I,--pidfile= -F,--file=",
        operands="data*",
        syntax="open",
        effects="network",
        can="network",
    ),
    Program(
        "ab",
        options=(
            "-A= -B= -b= -C= -c= -d -f= -H= -h!none -i -k -l -m=+publish -n= -P= -p=read+publish -q -r -S -s= -T= -t= "
            "-u=read+publish -V!none -v= -w -X= -x= -y= -Z= -z="
        ),
        writes="-e=NOWHERE -g=NOWHERE",
        operands="data*",
        effects="network",
        can="network",
    ),
    Program("hey", operands="data*", effects="network", can="network"),
    Program(
        "wrk",
        options="-c,--connections= -d,--duration= -H,--header= --latency --timeout= -t,--threads= -v,--version",
        runs="-s,--script=",
        operands="data*",
        effects="network",
        can="network",
    ),
    Program(
        "nmap",
        options=(
            "-4 -6 -A+code -b= -D= -d -d0 -d1 -d2 -d3 -d4 -d5 -d6 -d7 -d8 -d9 -dd -ddd -e= -F -f -g= -h -iL=read -iR= "
            "-M= -n -O -O1 -P* -p* -R -r -S= -sA* -sC*+code -sF* -sL* -sM* -sN* -sn* -sO* -sP* -sR* -sS* -sT* -sU* "
            "-sV* -sW* -sX* -sY* -sZ* -sI= -T* -V -v -v0 -v1 -v2 -v3 -v4 -v5 -vv -vvv --adler32 --allports "
            "--append-output --badsum --data= --data-length= --data-string= --defeat-icmp-ratelimit "
            "--defeat-rst-ratelimit --deprecated-xml-osclass --disable-arp-ping --discovery-ignore-rst --dns-servers= "
            "--exclude= --exclude-ports= --excludefile=read --fast --fuzzy --help --host-timeout= --iflist "
            "--initial-rtt-timeout= --interactive --ip-options= --log-errors --max-hostgroup= --max-os-tries= "
            "--max-parallelism= --max-rate= --max-retries= --max-rtt-timeout= --max-scan-delay= --min-hostgroup= "
            "--min-parallelism= --min-rate= --min-rtt-timeout= --mtu= --no-stylesheet --noninteractive "
            "--nsock-engine= --open --osscan-guess --osscan-limit --packet-trace --port-ratio= --privileged "
            "--proxies= --randomize-hosts --reason --release-memory --resolve-all --route-dst= --scan-delay= "
            "--scanflags= --script-args= --script-timeout= --script-trace --send-eth --send-ip --source-port= "
            "--spoof-mac= --stats-every= --stylesheet= --system-dns --timing= --top-ports= --traceroute --ttl= "
            "--unique --unprivileged --verbose --version --version-all --version-intensity= --version-light "
            "--version-trace --vv --webxml"
        ),
        writes="-oA= -oG=NOWHERE -oH= -oM= -oN=NOWHERE -oS=NOWHERE -oX=NOWHERE --resume= --script-updatedb",
        runs="--datadir= --script= --script-args-file= --script-help= --servicedb= --versiondb=",
        operands="data*",
        syntax="words",
        effects="network",
        can="network",
    ),
    Program(
        "openssl",
        options=(
            "-1 -2 -3 -4 -5 -6 -A -CA=read+write -CAfile=read -CAform= -CAkey= -CAkeyform= -CApath=read -CAstore= "
            "-CRL=read -CRLfile=read -CRLform= -CSP= -EncryptedData_decrypt -EncryptedData_encrypt -F4 -HTTP -K= -LMK "
            "-P -RSAPublicKey_in -RSAPublicKey_out -S= -V -VAfile=read -Verify= -WWW -a -accept= -accept_raverified "
            "-accept_unprot_err -accept_unprotected -add -addext= -addreject= -addtrust= -aead -aes128-wrap "
            "-aes192-wrap -aes256-wrap -aixmd5 -algorithm= -alias -allow_no_dhe_kex -allow_proxy_certs -alpn= "
            "-anti_replay -apr1 -asciicrlf -asn1parse -asymcipher-algorithms -async -async_jobs= -attime= "
            "-auth_level= -b -badsig -base64 -batch -binary -bind= -bits= -brief -bufsize= -bugs -build_chain -bytes= "
            "-c -cacerts -cades -cafile=read -caname= -cert -cert2=read -cert_chain=read -certfile=read -certform= "
            "-certin -certopt= -certpbe= -certs -chain -chainCAfile=read -chainCApath= -chainCAstore= -challenge= "
            "-check -check_after= -check_named -check_ss_sig -checkemail= -checkend= -checkhost= -checkip= -checks= "
            "-cipher= -cipher-algorithms -cipher-commands -ciphers -ciphersuites= -clcerts -client_renegotiation "
            "-client_sigalgs= -clrext -clrreject -clrtrust -cmac= -cmd= -cmsout -commands -comp -compat -compress "
            "-configdir -connect= -content=read -context= -conv_form= -convert= -copy_extensions= -corrupt_desc= "
            "-corrupt_type= -cpusettings -create_serial -crl_CA_compromise= -crl_check -crl_check_all "
            "-crl_compromise= -crl_download -crl_hold= -crl_lastupdate= -crl_nextupdate= -crl_reason= -crldays= "
            "-crlexts= -crlf -crlfeol -crlhours= -crlnumber -crls -crlsec= -csr= -ct -ctlogfile=read -curves= -d "
            "-dane_ee_no_namechecks -dane_tlsa_domain= -dane_tlsa_rrdata= -data=read -data_create -data_out -dateopt= "
            "-dates -days= -dcert=read -dcert_chain=read -dcertform= -debug -debug_broken_protocol -debug_decrypt "
            "-decoders -decrypt -delete -derive -des3-wrap -descert -dhparam=read -digest= -digest-algorithms "
            "-digest-commands -digest_create -digest_verify -dirnamesep -disable_confirm -disabled -dkey=read "
            "-dkeyform= -dlimit= -dpass= -dsaparam -dsoext -dtls -dtls1 -dtls1_2 -dump -e -early_data -ec_conv_form= "
            "-ec_param_enc= -econtent_type= -elapsed -email -enable_pha -encoders -encrypt -enddate -engine_impl "
            "-engines -enginesdir -evp= -expect_sender= -explicit_policy -export -ext= -ext_cache -extended_crl "
            "-extensions= -extfile=read -extracerts= -f -f4 -failure= -failurebits= -fallback_scsv -fingerprint "
            "-fips-fingerprint -force_pubkey=read -from= -genconf= -gencrl -gendelta=read -generate -geninfo= -genkey "
            "-genparam -genstr= -gn= -grant_implicitconf -groups= -h -hash -hash_old -header= -help -hex -hexdump "
            "-hmac= -host= -http_server_binmode -i -id_prefix= -ign_eof -ignore_critical -ignore_err -ignore_keyusage "
            "-ignore_unexpected_eof -implicit_confirm -in=read -indef -index=read -infiles -info -inform= -infotype= "
            "-inhibit_any -inhibit_map -inkey= -issuer -issuer_checks -issuer_hash -issuer_hash_old -item= -iter= "
            "-iv= -k= -kdf= -kdf-algorithms -kdflen= -kdfopt= -keep_alive= -kem-algorithms -key=read "
            "-key-exchange-algorithms -key-managers -key2=read -keyex -keyfile= -keyform= -keyid -keylen= "
            "-keymatexport= -keymatexportlen= -keyopt= -keypass= -keypbe= -keys -keysig -kfile=read -lastupdate "
            "-legacy -legacy_renegotiation -legacy_server_connect -length= -list -list_curves -listen -listsep -m "
            "-mac= -mac-algorithms -mac_name= -macalg= -maciter -macopt= -max_early_data= -max_msgs= -max_pipelines= "
            "-max_protocol= -max_send_frag= -maxfraglen= -mb -md= -min_protocol= -misalign= -modify -modulesdir "
            "-modulus -mr -msg -msg_timeout= -msie_hack -mtu= -multi= -multivalue-rdn -n -naccept= -name= "
            "-named_curve= -nameopt= -nbio -nbio_test -ndays= -new -newhdr -newkey= -newkeypass= -next_serial "
            "-nextprotoneg= -nextupdate -nmin= -no-CAfile -no-CApath -no-CAstore -no_alt_chains -no_anti_replay "
            "-no_attr_verify -no_ca_names -no_cache -no_cert_checks -no_cert_verify -no_certs -no_chain "
            "-no_check_time -no_comp -no_conditional_errors -no_content_verify -no_dhe -no_etm -no_explicit "
            "-no_ign_eof -no_intern -no_legacy_server_connect -no_middlebox -no_nonce -no_proxy= -no_public "
            "-no_renegotiation -no_resume_ephemeral -no_resumption_on_reneg -no_security_checks -no_seed "
            "-no_signature_verify -no_ssl3 -no_ticket -no_tls1 -no_tls1_1 -no_tls1_2 -no_tls1_3 -noattr -nocert "
            "-nocerts -nochain -nocommands -nocrl -nocrypt -noct -nodes -nodetach -noemailDN -noenc -noindef "
            "-nointern -noiter -nokeys -nomac -nomaciter -nomacver -nonce -none -noout -nopad -nosalt -noservername "
            "-nosigs -nosmimecap -notext -noverify -nrequest= -num_tickets= -o -oaep -objects -ocsp_uri -ocspid "
            "-offset= -oid=read -old -oldcert= -options= -originator= -otherpass= -out_trusted= -outform= "
            "-own_trusted= -p -param_enc= -param_out -paramfile=read -partial_chain -pass= -passcerts= -passin= "
            "-passout= -password= -path= -pbkdf2 -peerform= -peerkey= -pk7out -pkcs -pkeyopt= -pkeyopt_passin= "
            "-pkistatus= -policies= -policy= -policy_check -policy_oids= -policy_oids_critical -policy_print "
            "-poll_count= -popo= -port= -precert -preserveDN -preserve_dates -prexit -primes= -print -print_certs "
            "-prioritize_chacha -propquery= -provider_name= -providers -proxy= -proxy_pass= -proxy_user= -prverify= "
            "-psk -psk_hint= -psk_identity= -psk_session=read -pubcheck -pubin -pubkey -public-key-algorithms "
            "-public-key-methods -pubout -purpose -pvk-none -pvk-strong -pvk-weak -pwri_password= -query "
            "-queryfile=read -quiet -r -rand= -rand_serial -random-generators -random-instances -raw -rawin -rcid= "
            "-rctform= -read_buf= -receipt_request_all -receipt_request_first -receipt_request_from= "
            "-receipt_request_print -receipt_request_to= -recip=read -recipient= -reconnect -record_padding= "
            "-recv_max_early_data= -ref= -repeat= -reply -req -req_text -reqexts= -reqin= -reqin_new_tid -reqopt= "
            "-requestCAfile=read -resign -resp_key_id -resp_no_certs -resp_text -respin= -reuse -rev -reverse "
            "-revoke=read -revreason= -rkey=read -rmd= -rother=read -rsigner=read -rsigopt= -rsp_capubs= -rsp_cert= "
            "-rsp_extracerts= -rspin= -s -safe -salt -san_nodefault -sans= -scrypt -scrypt_N= -scrypt_p= -scrypt_r= "
            "-seconds= -secret= -secretkey= -secretkeyid= -section= -section_name= -security_debug "
            "-security_debug_verbose -seeds -select= -self_test_onload -selfsign -send_error -send_unprot_err "
            "-send_unprotected -sendfile -serial -server= -serverinfo= -servername= -servername_fatal -serverpref "
            "-sess_in=read -set_serial= -setalias= -show_chain -showcerts -sigalgs= -sigfile=read -sign "
            "-sign_other=read -sign_receipt -signature=read -signature-algorithms -signer=read -signkey= -sigopt= "
            "-spkac=read -spksect= -split_send_frag= -srp -srp_lateuser -srp_moregroups -srp_strength= -srppass= "
            "-srpuser= -srpuserseed= -srpvfile=read -srv_cert= -srv_key= -srv_keypass= -srv_ref= -srv_secret= "
            "-srv_trusted= -srv_untrusted= -srvcert= -ss_cert=read -standard-commands -startdate -starttls= -state "
            "-stateless -status -status_age= -status_file=read -status_timeout= -status_url= -status_verbose "
            "-statusstring= -stdin -stdname -store-loaders -stream -strict -strictpem -strparse= -subj= -subject "
            "-subject_hash -subject_hash_old -suiteB_128 -suiteB_128_only -suiteB_192 -t -table -text -text_pub "
            "-time= -timeout -tls1 -tls1_1 -tls1_2 -tls1_3 -tls_cert= -tls_extra= -tls_host= -tls_key= -tls_keypass= "
            "-tls_trusted= -tls_used -tlsextdebug -to= -token_in -token_out -topk8 -toseq -total_timeout= -trace "
            "-traditional -trust_other -trusted=read -trusted_first -trustout -tspolicy= -tt -twopass -uncompress "
            "-unix= -unprotected_errors -unprotected_requests -untrusted=read -updatedb -url= -use_deltas "
            "-use_mock_srv -use_srtp= -userinfo= -utf8 -v -v1= -v2= -v2prf= -valid= -validity_period= -verbose "
            "-verbosity= -verify -verifyCAfile=read -verifyCApath= -verifyCAstore= -verify_depth= -verify_email= "
            "-verify_hostname= -verify_ip= -verify_name= -verify_other=read -verify_quiet -verify_receipt=read "
            "-verify_retcode -verify_return_error -verifyrecover -vfyopt= -vv -vvv -vvvv -wrap= -www -x509 "
            "-x509_strict -x509toreq -x931 -xcert=read -xcertform= -xchain=read -xchain_build -xkey=read -xkeyform= "
            "-xmpphost= -xoflen= -aes* -aria* -bf* -blake2* -camellia* -cast* -chacha20 -des* -desx* -id-* -idea* "
            "-md* -mdc2 -null -rc2* -rc4* -ripemd* -rmd160 -seed* -sha* -shake* -sm3 -sm4* -ssl3-* -whirlpool"
        ),
        writes=(
            "-CAcreateserial -CAserial= -cacertsout= -certout= -certsout= -chainout= -extracertsout= -keylogfile= "
            "-keyout=NOWHERE -msgfile= -out=NOWHERE -outdir= -reqout= -respout= -rspout= -sess_out= -unlink "
            "-writerand="
        ),
        runs=(
            "-config= -engine= -keygen_engine= -module= -post= -pre= -provider= -provider-path= -ssl_client_engine= "
            "-ssl_config="
        ),
        syntax="words shared",
        subcommands=(
            Program(
                "rand",
                aliases=(
                    "version dgst md5 sha1 sha224 sha256 sha384 sha512 enc base64 aes-128-cbc aes-256-cbc x509 verify "
                    "asn1parse crl crl2pkcs7 pkey pkeyparam pkeyutl rsa rsautl ec ecparam dsa dsaparam dhparam genrsa "
                    "gendsa genpkey pkcs7 pkcs8 pkcs12 smime cms passwd prime errstr ciphers list info help"
                ),
                operands="read*",
                effects="read",
            ),
            Program("req", aliases="ca", operands="data*", effects="read write"),
            Program("s_client", aliases="s_time s_server ocsp", operands="data*", effects="read network"),
        ),
        others=Program(""),
        can="network: s_client; writes: -out",
    ),
    Program(
        "gpg",
        aliases="gpg2",
        options=(
            "--allow-freeform-uid --allow-multiple-messages --allow-multisig-verification --allow-non-selfsigned-uid "
            "--allow-secret-key-import --allow-weak-digest-algos --allow-weak-key-signatures --always-trust "
            "-a,--armor,--armour --ask-cert-expire --ask-cert-level --ask-sig-expire --attribute-fd= "
            "--auto-check-trustdb --auto-key-import --auto-key-locate=+network --auto-key-retrieve+network --batch "
            "--bzip2-compress-level= --bzip2-decompress-lowmem --card-edit --card-status --cert-digest-algo= "
            "--cert-notation= --cert-policy-url= --change-passphrase --change-pin --charset= --check-sig "
            "--check-signatures!read --check-sigs --check-trustdb --cipher-algo= --clear-sign!read+write "
            "--clearsign!read+write --command-fd= --command-file=read --comment= --completes-needed= --compliance= "
            "--compress-algo= --compress-keys --compress-level= --compress-sigs --compression-algo= --ctapi-driver= "
            "--dearmor --dearmour --debug-all --debug-iolbf --debug-level= --debug-quick-random --debug= "
            "-d,--decrypt!read --decrypt-files --default-cert-check-level= --default-cert-expire= "
            "--default-cert-level= --default-comment --default-key= --default-keyserver-url= --default-new-key-algo= "
            "--default-preference-list= --default-recipient-self --default-recipient= --default-sig-expire= "
            "--delete-keys!delete+system --delete-secret-and-public-keys --delete-secret-keys --desig-revoke "
            "-b,--detach-sign!read+write --digest-algo= --disable-ccid --disable-cipher-algo= --disable-dirmngr "
            "--disable-dsa2 --disable-large-rsa --disable-mdc --disable-pubkey-algo= --disable-signer-uid "
            "--display-charset= --display= -n,--dry-run --dump-option-table --dump-options --edit-card --edit-key "
            "--emit-version --enable-dsa2 --enable-large-rsa --enable-progress-filter --enable-special-filenames "
            "--enarmor --enarmour -e,--encrypt!read+write --encrypt-files --encrypt-to-default-key --encrypt-to= "
            "--escape-from-lines --exit-on-status-write-error --expert --export!read --export-filter= "
            "--export-options= --export-ownertrust --export-secret-keys --export-secret-subkeys --export-ssh-key "
            "--faked-system-time= --fast-import --fast-list-mode --fetch-keys --fingerprint!read --fix-trustdb "
            "--fixed-list-mode --for-your-eyes-only --forbid-gen-key --force-mdc --force-ownertrust= --force-sign-key "
            "--force-v3-sigs --force-v4-certs --full-gen-key --full-generate-key --gen-key --gen-prime --gen-random "
            "--gen-revoke --generate-designated-revocation --generate-key --generate-revocation --gnupg "
            "--gpg-agent-info= --gpgconf-list --gpgconf-test --group= --help!none --hidden-encrypt-to= "
            "-F,--hidden-recipient-file=read -R,--hidden-recipient= --honor-http-proxy --ignore-crc-error "
            "--ignore-mdc-error --ignore-time-conflict --ignore-valid-from --import!read+system --import-filter= "
            "--import-options= --import-ownertrust --include-key-block --input-size-hint= -i,--interactive --key-edit "
            "--key-origin= --keyid-format= --keyring= --keyserver-options= --keyserver= --known-notation= --lc-ctype= "
            "--lc-messages= --legacy-list-mode --limit-card-insert-tries= --list-config!read --list-gcrypt-config "
            "-k,--list-keys,--list-public-keys,--list-key!read --list-only --list-options= --list-packets!read "
            "-K,--list-secret-keys!read --list-sig --list-signatures!read --list-sigs!read --list-trustdb "
            "-u,--local-user,--sign-with= --locate-external-keys --locate-keys!read+network --lock-multiple "
            "--lock-never --lock-once --logger-fd= --lsign-key --mangle-dos-filenames --marginals-needed= "
            "--max-cert-depth= --max-output= --merge-only --mimemode --min-cert-level= --min-rsa-length= --multifile "
            "--no --no-allow-freeform-uid --no-allow-multiple-messages --no-allow-non-selfsigned-uid --no-armor "
            "--no-armour --no-ask-cert-expire --no-ask-cert-level --no-ask-sig-expire --no-auto-check-trustdb "
            "--no-auto-key-import --no-auto-key-locate --no-auto-key-retrieve --no-autostart --no-batch --no-comments "
            "--no-default-keyring --no-default-recipient --no-disable-mdc --no-emit-version --no-encrypt-to "
            "--no-escape-from-lines --no-expensive-trust-checks --no-expert --no-for-your-eyes-only --no-force-mdc "
            "--no-force-v3-sigs --no-force-v4-certs --no-greeting --no-groups --no-include-key-block --no-keyring "
            "--no-literal --no-mangle-dos-filenames --no-mdc-warning --no-options --no-permission-warning --no-pgp2 "
            "--no-pgp6 --no-pgp7 --no-pgp8 --no-random-seed-file --no-require-backsigs "
            "--no-require-cross-certification --no-require-secmem --no-rfc2440-text --no-secmem-warning "
            "--no-show-notation --no-show-photos --no-show-policy-url --no-sig-cache --no-sk-comments "
            "--no-skip-hidden-recipients --no-strict --no-symkey-cache --no-textmode --no-throw-keyids --no-tty "
            "--no-use-agent --no-use-embedded-filename --no-utf8-strings --no-verbose --no-version --not-dash-escaped "
            "--only-sign-text-ids --openpgp --override-compliance-check --override-session-key-fd= "
            "--override-session-key= --passphrase-fd= --passphrase-file=read --passphrase-repeat= --passphrase[=] "
            "--passwd --pcsc-driver= --personal-cipher-preferences= --personal-cipher-prefs= "
            "--personal-compress-preferences= --personal-compress-prefs= --personal-digest-preferences= "
            "--personal-digest-prefs= --pgp6 --pgp7 --pgp8 --pinentry-mode= --preserve-permissions --primary-keyring= "
            "--print-dane-records --print-md --print-mds --print-pka-records --quick-add-key --quick-add-uid "
            "--quick-addkey --quick-adduid --quick-gen-key --quick-generate-key --quick-lsign-key --quick-revoke-sig "
            "--quick-revoke-uid --quick-revuid --quick-set-expire --quick-set-primary-uid --quick-sign-key -q,--quiet "
            "--reader-port= --rebuild-keydb-caches --receive-keys!network+system -r,--recipient,--remote-user,--user= "
            "-f,--recipient-file=read --recv-keys!network+system --refresh-keys!network+system --request-origin= "
            "--require-backsigs --require-compliance --require-cross-certification --require-secmem --rfc2440 "
            "--rfc2440-text --rfc4880 --rfc4880bis --s2k-cipher-algo= --s2k-count= --s2k-digest-algo= --s2k-mode= "
            "--search-keys!network --secret-keyring= --send-keys!network+publish --sender= --server --set-filename= "
            "--set-filesize= -N,--set-notation= --set-policy-url= --show-key --show-keyring --show-keys!read "
            "--show-notation --show-photos --show-policy-url --show-session-key --sig-keyserver-url= --sig-notation= "
            "--sig-policy-url= -s,--sign!read+write --sign-key --sk-comments --skip-hidden-recipients --skip-verify "
            "--status-fd= --store --strict -c,--symmetric!read+write --temp-directory= --textmode --throw-keyids "
            "--tofu-db-format= --tofu-default-policy= --tofu-policy --trust-model= --trusted-key= --try-all-secrets "
            "--try-secret-key= --ttyname= --ttytype= --ungroup= --unwrap --update-trustdb --use-agent "
            "--use-only-openpgp-card --utf8-strings -v,--verbose --verify!read --verify-files!read --verify-options= "
            "--version!none --warranty --weak-digest= --with-colons --with-fingerprint --with-icao-spelling "
            "--with-key-data --with-key-origin --with-keygrip --with-secret --with-sig-check --with-sig-list "
            "--with-subkey-fingerprint --with-subkey-fingerprints --with-tofu-info --with-wkd-hash --xauthority= "
            "--yes"
        ),
        writes=(
            "--attribute-file=NOWHERE --log-file=NOWHERE --logger-file=NOWHERE -o,--output=NOWHERE "
            "--status-file=NOWHERE --trustdb-name= --use-embedded-filename"
        ),
        runs="--agent-program= --dirmngr-program= --exec-path= --homedir= --load-extension --options= --photo-viewer=",
        can="secrets: --export-secret-keys, --delete-secret-keys; publishes: --send-keys; reads: --verify, --list-keys",
    ),
    Program(
        "gpg-agent",
        options=(
            "--allow-loopback-pinentry --allow-preset-passphrase -c,--csh --daemon --default-cache-ttl= "
            "--enable-ssh-support --keep-display --keep-tty --max-cache-ttl= --no-detach --no-grab -q,--quiet -s,--sh "
            "--server --supervised --use-standard-socket -v,--verbose"
        ),
        writes="--log-file=",
        runs="--homedir= --options= --pinentry-program= --scdaemon-program=",
        starts=Starts(optional=True),
    ),
    Program("gpg-connect-agent", traits="opaque"),
    Program(
        "gpgv",
        options=(
            "--debug= --enable-special-filenames --homedir= --ignore-time-conflict --keyring=read --logger-fd= "
            "-q,--quiet --status-fd= -v,--verbose --weak-digest="
        ),
        writes="--log-file=NOWHERE -o,--output=NOWHERE",
        operands="read*",
        effects="read",
        can="reads",
    ),
    Program(
        "yt-dlp",
        aliases="youtube-dl",
        options=(
            "--abort-on-error --abort-on-unavailable-fragments --add-headers= --age-limit= --allow-dynamic-mpd "
            "--ap-list-mso --ap-mso= --ap-password= --ap-username= --audio-format= --audio-multistreams "
            "--audio-quality= -a,--batch-file=read --bidi-workaround --break-match-filters= --break-on-existing "
            "--break-per-input --buffer-size= --check-all-formats --check-formats --clean-info-json "
            "--client-certificate-key= --client-certificate-password= --client-certificate= --compat-options= "
            "--concat-playlist= -N,--concurrent-fragments= --console-title -c,--continue --convert-subs= "
            "--convert-thumbnails= --cookies-from-browser= --cookies=read --date= --dateafter= --datebefore= "
            "--default-search= --download-sections= -j,--dump-json --dump-pages -J,--dump-single-json "
            "--dump-user-agent --embed-chapters --embed-info-json --embed-metadata --embed-subs --embed-thumbnail "
            "--enable-file-urls --encoding= -x,--extract-audio --extractor-args= --extractor-descriptions "
            "--extractor-retries= --file-access-retries= --fixup= --flat-playlist -4,--force-ipv4 -6,--force-ipv6 "
            "--force-keyframes-at-cuts --force-overwrites --force-write-archive --format-sort-force -S,--format-sort= "
            "-f,--format= --fragment-retries= --geo-bypass --geo-bypass-country= --geo-bypass-ip-block= "
            "--geo-verification-proxy= -h,--help --hls-split-discontinuity --hls-use-mpegts --http-chunk-size= "
            "--ignore-config --ignore-dynamic-mpd -i,--ignore-errors --ignore-no-formats-error --keep-fragments "
            "-k,--keep-video --lazy-playlist --legacy-server-connect -r,--limit-rate= --list-extractors "
            "-F,--list-formats --list-subs --list-thumbnails --live-from-start --load-info-json=read --mark-watched "
            "--match-filters= --max-downloads= --max-filesize= --max-sleep-interval= --merge-output-format= "
            "--min-filesize= --mtime -n,--netrc --netrc-location= --newline --no-abort-on-error "
            "--no-audio-multistreams --no-batch-file --no-break-match-filters --no-break-per-input --no-cache-dir "
            "--no-check-certificates --no-check-formats --no-clean-info-json --no-colors --no-config-locations "
            "--no-continue --no-cookies --no-cookies-from-browser --no-download-archive --no-embed-chapters "
            "--no-embed-info-json --no-embed-metadata --no-embed-subs --no-embed-thumbnail --no-exec "
            "--no-flat-playlist --no-force-keyframes-at-cuts --no-force-overwrites --no-format-sort-force "
            "--no-geo-bypass --no-hls-split-discontinuity --no-hls-use-mpegts --no-ignore-no-formats-error "
            "--no-keep-fragments --no-keep-video --no-lazy-playlist --no-live-from-start --no-mark-watched "
            "--no-match-filter --no-mtime -w,--no-overwrites --no-part --no-playlist --no-post-overwrites "
            "--no-prefer-free-formats --no-progress --no-remove-chapters --no-resize-buffer --no-restrict-filenames "
            "--no-simulate --no-split-chapters --no-sponsorblock --no-update --no-video-multistreams "
            "--no-wait-for-video --no-warnings --no-windows-filenames --no-write-auto-subs --no-write-comments "
            "--no-write-description --no-write-info-json --no-write-playlist-metafiles --no-write-subs "
            "--no-write-thumbnail --output-na-placeholder= -o,--output=write --parse-metadata= --part -p,--password= "
            "-P,--paths=write -I,--playlist-items= --playlist-random --post-overwrites --prefer-free-formats "
            "--prefer-insecure --print-traffic -O,--print= --progress --progress-template= --proxy= -q,--quiet "
            "--recode-video= --remove-chapters= --remux-video= --replace-in-metadata= --resize-buffer "
            "--restrict-filenames -R,--retries= --retry-sleep= -s,--simulate --skip-download "
            "--skip-playlist-after-errors= --skip-unavailable-fragments --sleep-interval= --sleep-requests= "
            "--sleep-subtitles= --socket-timeout= --source-address= --split-chapters --sponsorblock-api= "
            "--sponsorblock-chapter-title= --sponsorblock-mark= --sponsorblock-remove= --sub-format= --sub-langs= "
            "--throttled-rate= --trim-filenames= -2,--twofactor= --use-extractors= -u,--username= -v,--verbose "
            "--version --video-multistreams --video-password= --wait-for-video= --windows-filenames "
            "--write-all-thumbnails --write-auto-subs --write-comments --write-description --write-desktop-link "
            "--write-info-json --write-link --write-playlist-metafiles --write-subs --write-thumbnail --write-url-link "
            "--write-webloc-link --xattr-set-filesize --xattrs --yes-playlist"
        ),
        writes="--cache-dir= --download-archive= --print-to-file= --rm-cache-dir --write-pages",
        runs=(
            "--exec-before-download= --netrc-cmd= --plugin-dirs= --alias= --config-location,--config-locations= "
            "--exec= --external-downloader,--downloader= --external-downloader-args,--downloader-args= "
            "--ffmpeg-location= --ppa,--postprocessor-args= -U,--update --update-to= --use-postprocessor="
        ),
        operands="data*",
        traits="writes",
        effects="write network",
        can="network; writes",
    ),
    Program(
        "mail",
        aliases="mailx s-nail",
        options=(
            "-A= -a= -b= -c= -E -e -f -H -h -i -M= -m= -N -n -q= -R -r= -s= -t -u= -V -v --append= --attach= "
            "--content-type= --subject="
        ),
        writes="--byname -F",
        runs="-~ -: -S= -X= -Y= -# --exec=",
        operands="data*",
        syntax="open",
        effects="network publish",
        can="publishes",
    ),
    Program(
        "sendmail", runs="-C= -O= -o* -X=", operands="data*", syntax="open", effects="network publish", can="publishes"
    ),  # of several programs
    Program(
        "mutt",
        aliases="neomutt",
        options="-A= -a= -b= -c= -D -E -f= -G -g= -h -H= -i= -m= -n -p -Q= -R -s= -v -x -y -Z -z",
        writes="-d= -l=",
        runs="-e= -F=",
        operands="data*",
        effects="network publish",
        can="publishes",
    ),
)
