"""Clients and tools of databases."""

from __future__ import annotations

from asimi.core.programs.program import Program

PROGRAMS = (
    Program(
        "psql",
        options="-c=PSQL --command=PSQL -d= -h= -p= -v= --dbname= --host= --port= --username=",
        writes="-o= --output= --log-file=",
        runs="-f= -L= --file= --set=",
        syntax="open",
        traits="input",
        can="data",
    ),
    Program("pg_dump", options="-F= -U= -d= -h= -n= -p= -t=", runs="-f=NOWHERE --file=NOWHERE", syntax="open"),
    Program("pg_restore", can="data"),
    Program("createdb", can="data"),
    Program("dropdb", can="deletes; data"),
    Program(
        "mysql",
        aliases="mariadb",
        options="-D= -P= -e=MYSQL --execute=MYSQL -h= -u= --database= --host= --user=",
        writes="--tee=",
        runs="--pager= --init-command=",
        syntax="open",
        traits="input",
        can="data",
    ),
    Program(
        "mysqldump",
        options="-h= -u=",
        writes="--result-file=NOWHERE --tab=NOWHERE",
        runs="-r=NOWHERE -T=NOWHERE",
        syntax="open",
    ),
    Program(
        "sqlite3",
        options="-cmd=SQLITE",
        runs="-init= -A*",
        operands="read SQLITE*",
        syntax="words open",
        traits="input wide",
        can="data",
    ),
    Program("mongosh", aliases="mongo", can="data"),
    Program("redis-cli", can="deletes: FLUSHALL, FLUSHDB; data"),
)
