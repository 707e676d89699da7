// Asks one gate that is written in JavaScript about many commands, as judges.py does:
// node judges.mjs NAME NODE_MODULES [LIST] < commands.json
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

for (const name of ["log", "debug", "info", "warn", "error"]) console[name] = () => {}; // standard output is for answers

const [name, modules, list] = process.argv.slice(2);
const listed = list ? readFileSync(list, "utf8").split(/\s+/).filter(Boolean) : [];
const load = (path) => import(pathToFileURL(`${modules}/${path}`));

const judges = {
  // Its library; its level is in the environment, and it has no list of what may run.
  async safetyNet() {
    const { checkCommand } = await load("cc-safety-net/dist/api.js");
    return (command) => checkCommand({ command, cwd: process.cwd() }).kind;
  },
  // Its policy engine in its usual mode, with `tools.allowed` of its settings.
  async gemini() {
    const policy = "@google/gemini-cli-core/dist/src/policy";
    const { createPolicyEngineConfig } = await load(`${policy}/config.js`);
    const { PolicyEngine } = await load(`${policy}/policy-engine.js`);
    const settings = { tools: { allowed: listed.map((each) => `run_shell_command(${each})`) }, policyPaths: [] };
    const engine = new PolicyEngine(await createPolicyEngineConfig(settings, "default"));
    return async (command) => {
      const { decision } = await engine.check({ name: "run_shell_command", args: { command } });
      return decision === "ask_user" ? "ask" : decision;
    };
  },
};

const judge = await judges[name]();
const words = [], said = [];
for await (const chunk of process.stdin) said.push(chunk);
for (const command of JSON.parse(Buffer.concat(said))) {
  try {
    words.push(await judge(command));
  } catch {
    words.push("broke");
  }
}
process.stdout.write(`${words.join("\n")}\n`, () => process.exit(0));
