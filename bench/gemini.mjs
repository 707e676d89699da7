// Gemini CLI's core, asked as worker.py is: `node gemini.mjs PATH-OF-ITS-index.js`, then lines of JSON on standard
// input. It runs commands without a pseudo-terminal, as asimi does, and judges them by one rule that allows the shell.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

for (const name of ["log", "debug", "info", "warn"]) console[name] = () => {}; // standard output is for answers

const core = await import(process.argv[2]);
const sanitizationConfig = {
  enableEnvironmentVariableRedaction: false,
  allowedEnvironmentVariables: [],
  blockedEnvironmentVariables: [],
};
const how = { terminalWidth: 80, terminalHeight: 24, sanitizationConfig, sandboxManager: new core.NoopSandboxManager() };
const rule = { toolName: "run_shell_command", decision: core.PolicyDecision.ALLOW, priority: 1 };
const policy = new core.PolicyEngine({ rules: [rule] });
const judged = (command) => policy.check({ name: "run_shell_command", args: { command } }, undefined);

async function one(command) {
  const stop = new AbortController().signal;
  const handle = await core.ShellExecutionService.execute(command, process.cwd(), () => {}, stop, false, how);
  const result = await handle.result;
  if (result.exitCode !== 0) throw new Error(JSON.stringify(result));
}

async function timed(what) {
  const began = performance.now();
  await what();
  return (performance.now() - began) / 1e3;
}

const asks = {
  async latency(count, command) {
    const times = [];
    for (let left = count; left > 0; left--) times.push(await timed(() => one(command)));
    return times;
  },
  async concurrent(count, command) {
    return [await timed(() => Promise.all(Array.from({ length: count }, () => one(command))))];
  },
  async judge(file) {
    const texts = JSON.parse(readFileSync(file, "utf-8"));
    for (const text of texts) await judged(text); // what they load is loaded
    const times = [];
    for (const text of texts) times.push(await timed(() => judged(text)));
    return times;
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const [what, ...told] = JSON.parse(line);
  process.stdout.write(JSON.stringify(await asks[what](...told)) + "\n");
}
process.exit(0);
