if [[ -f x && $y == z* ]]; then sudo env A=1 xargs -n1 rm; else bash -c "git push"; fi; f() { ((i++)); }; case $1 in a) ls;; esac
