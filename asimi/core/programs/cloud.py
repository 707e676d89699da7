"""Clouds and infrastructure."""

from __future__ import annotations

from asimi.core.programs.program import Program

PROGRAMS = (
    Program(
        "aws",
        options="--ca-bundle= --color= --endpoint-url= --output= --profile= --query= --region=",
        subcommands=(Program("configure", traits="opaque"),),
        names_by=2,
        can="deletes: delete, rm; data; network",
    ),
    Program("az", options="-o= --output= --query= --subscription=", names_by=2, can="data; network"),
    Program(
        "gcloud",
        options="--account= --configuration= --format= --project= --verbosity=",
        names_by=2,
        can="data; remote: compute ssh; network",
    ),
    Program("gsutil", can="deletes: rm; data; network"),
    Program(
        "terraform",
        aliases="tofu",
        options="-chdir=",
        syntax="words",
        names_by=1,
        can="deletes: destroy; data: apply; remote",
    ),
    Program("pulumi", can="deletes: destroy; data: up; remote"),
    Program(
        "ansible",
        options="-K= -M= -T= -c= -f= -i= -l= -t= -u=",
        runs="-e -a -m --extra-vars= --args= --module-name=",
        syntax="open",
        traits="wide",
        can="remote",
    ),
    Program("ansible-playbook", can="remote"),
    Program("salt", can="remote"),
    Program("fab", can="remote"),
    Program("heroku", can="remote"),
    Program("fly", can="remote"),
    Program("vercel", can="remote"),
    Program("netlify", can="remote"),
    Program("vault", can="data"),
)
