#!/bin/sh
[ -x {client} ] || exec {git} "$@"
case "$1 $2 $3 $4" in
"worktree add"* | "-C "*" worktree add") {client} git "$@" || exit 128 ;;
"worktree remove"* | "worktree prune"* | "-C "*" worktree remove" | "-C "*" worktree prune")
    {client} git "$@"
    code=$?
    [ $code = 75 ] || exit $code ;;
esac
exec {git} "$@"
