"""Containers and clusters: with the program listed, what is free and what is a question."""

import pytest

from asimi.core.call import Place, Request, Verdict
from asimi.core.judging.policy import Policy, Terms
from asimi.core.judging.rules import rule_of

HERE = Place("/project", "/project", inside=True)

TABLE = [
    ("allow", "docker", "docker ps -a --format '{{.Names}}'"),
    ("allow", "docker", "docker -D --context x images"),
    ("allow", "docker", "docker build -t app:1 -f docker/Dockerfile --build-arg A=b --no-cache ."),
    ("allow", "docker", "docker buildx build --platform linux/amd64,linux/arm64 --push --cache-to type=gha -t a ."),
    ("allow", "docker", "docker run --rm -it -p 8080:80 -e A=b --network host --name web nginx"),
    ("allow", "docker", 'docker run --rm -v "$PWD":/w -w /w alpine ls'),
    ("allow", "docker", "docker run --rm -v .:/w:ro -w /w alpine ls"),
    ("allow", "docker", 'docker run --rm --volume="${PWD}:/w" alpine ls'),
    ("allow", "docker", 'docker run --mount type=bind,source="$PWD",target=/w,readonly alpine ls'),
    ("allow", "docker", "docker run -d -v data:/var/lib/postgresql/data --tmpfs /tmp postgres:16"),
    ("allow", "docker", "docker exec -it -u root web bash -c 'ls'"),
    ("allow", "docker,gzip", "docker save app | gzip"),
    ("allow", "docker", "docker compose -f dev.yml --profile x up -d --build web"),
    ("allow", "docker", "docker compose run --rm -T web npm test"),
    ("allow", "docker", "docker compose exec -T db psql -U me"),
    ("allow", "docker-compose", "docker-compose -f a.yml -p x logs -f --tail=10"),
    ("allow", "podman", "podman images -f dangling=true"),
    ("ask", "docker", "docker --config ./evil ps"),
    ("ask", "docker", "docker run --privileged alpine"),
    ("ask", "docker", "docker run -v /:/h alpine rm x"),
    ("ask", "docker", "docker run -itv/:/h alpine"),
    ("ask", "docker", "docker run -v $PWD:/w alpine ls"),
    ("ask", "docker", 'docker run -v "$PWD/..":/w alpine ls'),
    ("ask", "docker", "docker run -v ..:/w alpine ls"),
    ("ask", "docker", "docker run -v ./link:/w alpine ls"),
    ("ask", "docker,cd", "cd / && docker run -v .:/w alpine ls"),
    ("ask", "docker,cd", 'cd / && docker run -v "$PWD":/w alpine ls'),
    ("ask", "docker", 'for PWD in /; do docker run -v "$PWD":/w alpine ls; done'),
    ("ask", "docker,env", "env -C / docker run -v .:/w alpine ls"),
    ("ask", "docker", "docker run --mount type=bind,src=/,dst=/h alpine"),
    ("ask", "docker", "docker run --mount type=volume,dst=/h,volume-opt=device=/ alpine"),
    ("ask", "docker", "docker run --cidfile=x alpine"),
    ("ask", "docker", "docker run --new-option alpine"),
    ("ask", "docker", "docker exec --privileged web ls"),
    ("ask", "docker", "docker save -o f app"),
    ("ask", "docker", "docker build --output=out ."),
    ("ask", "docker", "docker build --cache-to type=local,dest=x ."),
    ("ask", "docker", "docker buildx build --allow security.insecure ."),
    ("ask", "docker", "docker volume create --opt device=/ --opt o=bind x"),
    ("ask", "docker", "docker service create --mount type=bind,src=/,dst=/h nginx"),
    ("ask", "docker", "docker plugin install --grant-all-permissions x"),
    ("ask", "docker", "docker compose run -v /:/h web ls"),
    ("ask", "docker", "docker compose config -o x"),
    ("ask", "docker-compose", "docker-compose run --volume=/:/h web ls"),
    ("ask", "podman", "podman unshare rm x"),
    ("ask", "podman", "podman run --rootfs / ls"),
    ("ask", "podman", "podman --hooks-dir=x run alpine"),
    ("ask", "podman", "podman container runlabel install x"),
    ("allow", "kubectl", "kubectl -n kube-system get pods -o wide -l app=x -w"),
    ("allow", "kubectl", "kubectl apply -f k8s/ --dry-run=client"),
    ("allow", "kubectl", "kubectl logs -f deploy/web --tail=10"),
    ("allow", "kubectl", "kubectl exec -it web -c app -- ls -la"),
    ("allow", "kubectl", "kubectl run x --image nginx --dry-run=client -o yaml"),
    ("allow", "kubectl", "kubectl config current-context"),
    ("allow", "oc", "oc rsh web ls"),
    ("ask", "kubectl", "kubectl --kubeconfig=./evil get pods"),
    ("ask", "kubectl", "kubectl get pods --kubeconfig ./evil"),
    ("ask", "kubectl", "kubectl exec web --kubeconfig ./evil -- ls"),
    ("ask", "kubectl", "kubectl config set-credentials x --exec-command=./evil"),
    ("ask", "kubectl", "kubectl cluster-info dump --output-directory=x"),
    ("ask", "kubectl", "kubectl kustomize --enable-helm --helm-command=./evil ."),
    ("ask", "kubectl", "kubectl krew install x"),
    ("allow", "helm", "helm upgrade --install web ./chart -n web -f values.yaml --set a=b --wait --timeout 5m"),
    ("allow", "helm", "helm template web ./chart --debug"),
    ("allow", "helm", "helm repo add x https://x"),
    ("allow", "helm", "helm list -A"),
    ("ask", "helm", "helm install web ./chart --post-renderer ./evil"),
    ("ask", "helm", "helm template web ./chart --output-dir x"),
    ("ask", "helm", "helm plugin install https://x"),
    ("ask", "helm", "helm list --kubeconfig=./evil"),
    ("ask", "helm", "helm upgrade web ./chart --new-option"),
    ("allow", "vagrant", "vagrant ssh -c 'ls'"),
    ("ask", "buildah", "buildah run -v /:/h c ls"),
]


@pytest.mark.parametrize(("verdict", "listed", "command"), TABLE)
def test_verdict(verdict, listed, command):
    policy = Policy(
        [rule_of(f"run_shell_command({each})", Verdict.ALLOW) for each in listed.split(",")],
        Terms(exported=("PATH", "HOME", "LANG", "PWD")),
    )
    decision = policy.decide(Request("run_shell_command", command, None, HERE))
    assert decision.verdict.word == verdict, [reason.message for reason in decision.reasons]
