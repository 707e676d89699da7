#!/bin/bash -eu
# Runs in the builder of ClusterFuzzLite: each harness of harnesses/ becomes a program that holds asimi and all that it needs.
pip3 install .
for harness in harnesses/*_fuzzer.py; do
  compile_python_fuzzer "$harness" --hidden-import=asimi --collect-submodules=asimi
  name="$(basename "$harness" .py)"
  if [ -f "harnesses/$name.dict" ]; then cp "harnesses/$name.dict" "$OUT/"; fi
  zip -qj "$OUT/${name}_seed_corpus.zip" "harnesses/seeds/$name"/*
done
