"""Clients and tools of databases.

From the manuals of PostgreSQL 15, MariaDB 10.11, SQLite 3.40, DuckDB 1.5 and Redis 7.0. Not checked against the
programs: what PostgreSQL 17, MySQL 8.4 and SQLite 3.50 have beyond these.
"""

from __future__ import annotations

from asimi.core.programs.program import Program

_POSTGRES = "-?,--help -h,--host= -w,--no-password -W,--password -p,--port= -U,--username= -V,--version "
_DUMP = (
    "-a,--data-only --attribute-inserts,--column-inserts -c,--clean --disable-dollar-quoting --disable-triggers "
    "--exclude-database= --extra-float-digits= --filter=read --if-exists --inserts --load-via-partition-root "
    "--lock-wait-timeout= --no-comments --no-data --no-policies --no-publications --no-role-passwords --no-schema "
    "--no-security-labels --no-statistics --no-subscriptions --no-sync --no-table-access-method --no-tablespaces "
    "--no-toast-compression --no-unlogged-table-data -O,--no-owner -x,--no-acl,--no-privileges "
    "--on-conflict-do-nothing --quote-all-identifiers --restrict-key= --role= --rows-per-insert= -s,--schema-only "
    "--statistics-only -S,--superuser= --use-set-session-authorization -v,--verbose --binary-upgrade -d,--dbname= "
    "-E,--encoding= "
)
_MYSQL = (
    "-?,-I,--help --bind-address= --character-sets-dir= -C,--compress --compression-algorithms= --connect-timeout= "
    "--debug-check --disable-* --default-auth= --default-character-set= --defaults-group-suffix= "
    "--enable-cleartext-plugin -f,--force --get-server-public-key -h,--host= --login-path= --max-allowed-packet= "
    "--net-buffer-length= --no-defaults --no-login-paths -p,--password[=] -P,--port= --print-defaults --protocol= "
    "--secure-auth --server-public-key-path=read --skip-* -S,--socket= --ssl[=] --ssl-ca=read --ssl-capath=read "
    "--ssl-cert=read --ssl-cipher= --ssl-crl=read --ssl-crlpath=read --ssl-fips-mode= --ssl-key=read --ssl-mode= "
    "--ssl-verify-server-cert[=] --tls-ciphersuites= --tls-sni-servername= --tls-version= -u,--user= -v,--verbose "
    "-V,--version --zstd-compression-level= "
)
_MYSQL_RUNS = "--defaults-extra-file= --defaults-file= --plugin-dir="

PROGRAMS = (
    Program(
        "psql",
        options=(
            _POSTGRES + "-1,--single-transaction -A,--no-align -a,--echo-all -b,--echo-errors --csv "
            "-d,--dbname= -E,--echo-hidden -e,--echo-queries -F,--field-separator= -H,--html -l,--list "
            "-n,--no-readline -P,--pset= "
            "-q,--quiet -R,--record-separator= -S,--single-line -s,--single-step -T,--table-attr= -t,--tuples-only "
            "-X,--no-psqlrc -x,--expanded -0,--record-separator-zero -z,--field-separator-zero"
        ),
        writes="-L,--log-file=NOWHERE -o,--output=NOWHERE",
        runs="-f,--file= -v,--set,--variable=PSQLVARIABLE",
        inert="-c,--command=PSQL",
        operands="data*",
        traits="input queries",
        effects="delete network publish",
        can="data",
    ),
    Program(
        "pg_dump",
        options=(
            _POSTGRES
            + _DUMP
            + "-B,--no-blobs,--no-large-objects -b,--blobs,--large-objects -C,--create -e,--extension= "
            "--enable-row-security --exclude-extension= --exclude-table-and-children= --exclude-table-data= "
            "--exclude-table-data-and-children= -F,--format= --include-foreign-data= -j,--jobs= -N,--exclude-schema= "
            "-n,--schema= --section= --sequence-data --serializable-deferrable --snapshot= --strict-names "
            "--sync-method= -T,--exclude-table= -t,--table= --table-and-children= --with-data --with-schema "
            "--with-statistics -Z,--compress="
        ),
        writes="-f,--file=NOWHERE",
        operands="data",
        effects="read network",
        can="reads; network",
    ),
    Program(
        "pg_dumpall",
        options=_POSTGRES + _DUMP + "-g,--globals-only -l,--database= -r,--roles-only -t,--tablespaces-only",
        writes="-f,--file=NOWHERE",
        effects="read network",
        can="reads; network",
    ),
    Program(
        "pg_restore",
        options=(
            _POSTGRES
            + _DUMP
            + "-1,--single-transaction -C,--create -e,--exit-on-error --enable-row-security -F,--format= -I,--index= "
            "-j,--jobs= -L,--use-list=read -l,--list -N,--exclude-schema= -n,--schema= --no-data-for-failed-tables "
            "-P,--function= --section= --strict-names -T,--trigger= -t,--table= --transaction-size="
        ),
        writes="-f,--file=NOWHERE",
        operands="read",
        effects="read delete network publish",
        can="data",
    ),
    Program(
        "pg_isready",
        options=(
            "-d,--dbname= -q,--quiet -V,--version!none -?,--help!none -h,--host= -p,--port= -t,--timeout= "
            "-U,--username="
        ),
        effects="network",
        can="network",
    ),
    Program("pg_basebackup", traits="writes", effects="write network", can="network; writes"),
    Program(
        "pgbench",
        options=(
            _POSTGRES
            + "-b,--builtin= -C,--connect -c,--client= -D,--define= -d,--debug -F,--fillfactor= --failures-detailed "
            "--foreign-keys -I,--init-steps= -i,--initialize --index-tablespace= -j,--jobs= -L,--latency-limit= "
            "-M,--protocol= --max-tries= -N,--skip-some-updates -n,--no-vacuum -P,--progress= --partition-method= "
            "--partitions= --progress-timestamp -q,--quiet -R,--rate= -r,--report-latencies,--report-per-command "
            "--random-seed= -S,--select-only -s,--scale= --sampling-rate= --show-script= -T,--time= -t,--transactions= "
            "--tablespace= --unlogged-tables -v,--vacuum-all --verbose-errors"
        ),
        writes="-l,--log --aggregate-interval= --log-prefix=",
        runs="-f,--file=",
        operands="data",
        effects="network publish",
        can="data",
    ),
    Program("createdb", aliases="createuser", operands="data*", effects="network publish", can="data"),
    Program("dropdb", aliases="dropuser", operands="data", effects="delete network publish", can="deletes; data"),
    Program("vacuumdb", aliases="clusterdb reindexdb", operands="data", effects="network publish", can="data"),
    Program(
        "mysql",
        aliases="mariadb",
        options=(
            _MYSQL + "-A,--no-auto-rehash --abort-source-on-error --auto-rehash --auto-vertical-output -B,--batch "
            "-b,--no-beep --binary-as-hex --binary-mode -c,--comments --column-names --column-type-info "
            "--connect-expired-password "
            "-D,--database= --delimiter= -E,--vertical -e,--execute=MYSQL -G,--named-commands -H,--html --histignore= "
            "-i,--ignore-spaces -L,--skip-line-numbers --line-numbers --load-data-local-dir= --local-infile[=] "
            "--max-join-size= -N,--skip-column-names -n,--unbuffered -o,--one-database --print-query-on-error "
            "--progress-reports --prompt= -q,--quick --quick-max-column-width= -r,--raw --reconnect -s,--silent "
            "--sandbox --select-limit= --show-warnings --sigint-ignore -T,--debug-info -t,--table "
            "-U,--i-am-a-dummy,--safe-updates -w,--wait -X,--xml"
        ),
        writes="--debug[=] --tee=NOWHERE",
        runs=_MYSQL_RUNS + " --init-command= --init-command-add= --pager[=] --server-arg= --system-command[=]",
        operands="data",
        traits="input queries",
        effects="delete network publish",
        can="data",
    ),
    Program(
        "mysqldump",
        aliases="mariadb-dump",
        options=(
            _MYSQL + "-A,--all-databases -a,--create-options --add-drop-database --add-drop-table --add-drop-trigger "
            "--add-drop-user --add-locks --allow-keywords --apply-replica-statements --apply-slave-statements --as-of= "
            "-B,--databases -c,--complete-insert --column-statistics -i,--comments --compact --compatible= "
            "--copy-s3-tables= -d,--no-data --delayed-insert --delete-master-logs --delete-source-logs --dump-date "
            "--dump-replica[=] --debug-info --dump-slave[=] -E,--events -e,--extended-insert -F,--flush-logs "
            "--fields-enclosed-by= --fields-escaped-by= --fields-optionally-enclosed-by= --fields-terminated-by= "
            "--flush-privileges --galera-info --gtid -H,--dump-history --header --hex-blob --ignore-database= "
            "--ignore-error= --ignore-table= --ignore-table-data= --include-master-host-port "
            "--include-source-host-port --insert-ignore -K,--disable-keys -l,--lock-tables --lines-terminated-by= "
            "--log-queries --master-data[=] --max-statement-time= -N,--no-set-names -n,--no-create-db "
            "--network-timeout --no-autocommit --no-data-med --opt --order-by-primary --order-by-size -Q,--quote-names "
            "-q,--quick -R,--routines --replace --set-charset --set-gtid-purged= "
            "--show-create-table-skip-secondary-engine --single-transaction --source-data[=] --system= "
            "-t,--no-create-info --tables --triggers --tz-utc -w,--where= -X,--xml -x,--lock-all-tables "
            "-Y,--all-tablespaces -y,--no-tablespaces"
        ),
        writes="--debug[=] --log-error= -r,--result-file=NOWHERE -T,--tab=",
        runs=_MYSQL_RUNS + " --init-command= --init-command-add=",
        operands="data*",
        effects="read network",
        can="reads; network",
    ),
    Program(
        "mysqladmin",
        aliases="mariadb-admin",
        operands="data*",
        effects="delete network publish system",
        can="deletes: drop; ends: shutdown, kill; data",
    ),
    Program("mysqlimport", aliases="mariadb-import", operands="data read*", effects="read network publish", can="data"),
    Program("mysqlshow", aliases="mariadb-show", operands="data*", effects="network", can="reads; network"),
    Program("mysqlcheck", aliases="mariadb-check", operands="data*", effects="network publish", can="data"),
    Program(
        "sqlite3",
        options=(
            "-append -ascii -bail -batch -box -cmd=SQLITE -column -csv -deserialize -echo -escape= -header -help -html "
            "-ifexists -interactive -json -line -list -lookaside -markdown -maxsize= -memtrace -mmap= -newline= "
            "-no-rowid-in-view -nofollow -noheader -nonce= -noinit -nullvalue= -pagecache -pcachetrace -quote "
            "-readonly!read>read -safe -separator= -stats -table -tabs -version -vfs="
        ),
        writes="-zip",
        runs="-A* -init= -unsafe-testing",
        operands="write SQLITE*",
        syntax="words",
        traits="input queries wide writes",
        effects="read write delete",
        can="data",
    ),
    Program(
        "duckdb",
        options=(
            "-ascii -bail -batch -box -cmd=DUCKDB -column -csv -dark-mode -echo -header -html -json -jsonlines "
            "-light-mode -line -list -markdown -newline= -no-init -noheader -nullvalue= -quote -readonly -safe "
            "-separator= -storage-version= -table -unredacted"
        ),
        runs="-f= -init= -interactive -ui -unsigned",
        inert="-c,-s=DUCKDB -h,-help -no-stdin -version",
        operands="DUCKDBFILE DUCKDB*",
        syntax="words",
        traits="input",
        can="data",
    ),
    Program(
        "mongosh",
        aliases="mongo",
        operands="data*",
        traits="embeds wide",
        effects="delete network publish code",
        can="data",
    ),
    Program(
        "mongodump",
        aliases="mongoexport",
        operands="data*",
        traits="writes",
        effects="write network",
        can="network; writes",
    ),
    Program("mongorestore", aliases="mongoimport", operands="read*", effects="read network publish", can="data"),
    Program(
        "redis-cli",
        aliases="valkey-cli",
        options=(
            "-2 -3 -4 -6 -a= -c -D= -d= -e -h= -i= -n= -p= -r= -s= -t= -u= -X= -x --askpass --bigkeys --cacert=read "
            "--cacertdir=read --cert=read --cluster --csv --eval=read --help --hotkeys --insecure --intrinsic-latency= "
            "--json --key=read --keystats --latency --latency-dist --latency-history --ldb --ldb-sync-mode --lru-test= "
            "--memkeys --memkeys-samples= --no-auth-warning --no-raw --pass= --pattern= --pipe --pipe-timeout= "
            "--quoted-input --quoted-json --quoted-pattern= --raw --replica --scan --show-pushes= --slave --sni= "
            "--stat --tls --tls-ciphers= --tls-ciphersuites= --user= --verbose --version"
        ),
        writes="--functions-rdb=NOWHERE --rdb=NOWHERE",
        operands="data*",
        syntax="exact ends",
        subcommands=(
            Program(
                "get",
                aliases=(
                    "GET MGET mget HGET hget HGETALL hgetall KEYS keys SCAN scan TTL ttl TYPE type EXISTS exists INFO "
                    "info PING ping LLEN llen LRANGE lrange SMEMBERS smembers ZRANGE zrange DBSIZE dbsize"
                ),
                operands="data*",
                effects="network",
            ),
        ),
        effects="delete network publish",
        can="deletes: FLUSHALL, FLUSHDB; data",
    ),
    Program("etcdctl", names_by=1, can="deletes: del, rm; data"),
    Program("dolt", names_by=1, can="data"),
)
