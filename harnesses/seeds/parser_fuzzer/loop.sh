for x in a "$b" 'c'; do git -C "$x" status | head -n1 && echo "$(date)" > f; done <<E
q
E
