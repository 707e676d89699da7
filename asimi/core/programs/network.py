"""Programs that talk to other machines."""

from __future__ import annotations

from asimi.core.programs.program import Program, Starts

PROGRAMS = (
    Program(
        "curl",
        options=(
            "-b= -d= -e= -m= -r= -t= -u= -w= -x= -y= -z= --cacert= --cert= --connect-timeout= --cookie= --data= "
            "--data-binary= --data-raw= --data-urlencode= --form= --header= --json= --key= --max-time= --proxy= "
            "--referer= --request= --retry= --url= --user= --user-agent= --write-out="
        ),
        writes=(
            "-o=NOWHERE -O=NOWHERE --output=NOWHERE --remote-name --upload-file=NOWHERE --dump-header=NOWHERE "
            "--cookie-jar=NOWHERE --trace=NOWHERE --stderr=NOWHERE --libcurl=NOWHERE --etag-save=NOWHERE"
        ),
        runs=(
            "-K=NOWHERE -T=NOWHERE -D=NOWHERE -c=NOWHERE -J --remote-name-all=NOWHERE --config=NOWHERE "
            "--output-dir=NOWHERE --remote-header-name=NOWHERE --trace-ascii=NOWHERE --hsts=NOWHERE "
            "--alt-svc=NOWHERE --engine=NOWHERE --create-file-mode=NOWHERE"
        ),
        syntax="open",
        traits="wide writes",
        can="network; writes: -o, -O, --output",
    ),
    Program(
        "wget",
        options=("-l= -t= -w= --header= --method= --password= --post-data= --timeout= --tries= --user= --user-agent="),
        writes=(
            "-O= -o= --output-document= --output-file= --append-output= --directory-prefix= --rejected-log= "
            "--save-cookies= --warc-file= --hsts-file="
        ),
        runs=(
            "-a -P -i -e -E -m -r -x --input-file= --execute --use-askpass= --config= --post-file= --body-file= "
            "--ca-directory= --mirror --recursive"
        ),
        syntax="open",
        traits="wide writes",
        can="network; writes",
    ),
    Program(
        "aria2c",
        options="-d= -j= -k= -m= -s= -x=",
        runs=(
            "-o= -D -i --on-download-complete= --on-download-start= --on-download-error= --on-download-stop= "
            "--on-bt-download-complete= --conf-path= --input-file="
        ),
        syntax="open",
        can="network",
    ),
    Program("http", aliases="https xh", can="network"),
    Program(
        "nc",
        aliases="ncat netcat",
        options="-I= -M= -O= -P= -T= -V= -W= -X= -i= -m= -n= -p= -q= -s= -w= -x= -g=",
        runs="-e -c --exec= --sh-exec= --lua-exec=",
        syntax="open",
        traits="wide",
        can="network",
    ),
    Program("socat", traits="embeds opaque wide", can="network"),
    Program("telnet", traits="input", can="network"),
    Program("ftp", traits="wide", can="network"),
    Program("lftp", can="network"),
    Program(
        "ssh",
        options="-4 -6 -a -f -g -k -n -q -s -t -v -x -y -b= -c= -e= -i= -l= -m= -p= -w=",
        runs="-F -o= -S -O= -E -I",
        starts=Starts(operands=1, joined=True, optional=True, loose=True),
        traits="interprets",
        can="remote",
    ),
    Program(
        "scp", options="-c= -i= -l=", runs="-S -F -D -o=", syntax="open", traits="wide writes", can="remote; writes"
    ),
    Program("sftp", options="-c= -i= -l= -s=", runs="-S -F -D -b -o=", syntax="open", can="remote"),
    Program(
        "mosh",
        options="-4 -6 -a -n -o --ssh= --client= --server= --predict= --port=",
        starts=Starts(operands=1, optional=True, loose=True),
        can="remote",
    ),
    Program("rsh", can="remote"),
    Program("ssh-add", options="-H= -S= -T= -t=", runs="-s", syntax="open"),
    Program("ssh-keygen", options="-b= -n= -r= -t= -z=", runs="-D -s -f -w -M", syntax="open", can="writes"),
    Program("ping", can="network"),
    Program("dig", aliases="host nslookup", can="network"),
    Program("whois", can="network"),
    Program("traceroute", can="network"),
    Program(
        "nmap",
        options="-D= -S= -T= -e= -g= -p=",
        runs="--script= --script-args= --datadir= --servicedb= --versiondb= -oN -oX -oS -oG -oA -iL",
        syntax="words open",
        can="network",
    ),
    Program(
        "openssl",
        runs="-out= -engine= -keyout -provider -provider-path -writerand",
        syntax="words open",
        can="network: s_client; writes: -out",
    ),
    Program(
        "gpg",
        options="-r= -u= --homedir= --local-user= --recipient=",
        writes="-o=NOWHERE --output=NOWHERE --log-file=NOWHERE",
        runs=(
            "--agent-program=NOWHERE --dirmngr-program=NOWHERE --exec-path=NOWHERE --photo-viewer=NOWHERE "
            "--options=NOWHERE --keyserver-options=NOWHERE"
        ),
        syntax="open",
    ),
    Program(
        "yt-dlp",
        runs=(
            "--exec= --exec-before-download= --external-downloader= --downloader= --plugin-dirs= "
            "--config-locations= --postprocessor-args="
        ),
        syntax="open",
        can="network",
    ),
    Program("mail", can="publishes"),
    Program("sendmail", can="publishes"),
    Program("mutt", can="publishes"),
)
