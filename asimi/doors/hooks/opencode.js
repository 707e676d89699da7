// Written by `asimi hook install opencode`, and removed by `asimi hook uninstall opencode`.
// opencode runs no tool whose plug-in throws, so whatever goes wrong here throws.
import { spawn } from "node:child_process"

const HOOK = {command}
const JUDGED = {tools}
const CHANGES = {changes}

const allowed = (envelope, env) =>
  new Promise((resolve, reject) => {
    const blocked = (why) => reject(new Error(`asimi blocks this command, because its hook ${why}`))
    const hook = spawn(HOOK, { shell: true, env })
    let out = ""
    let err = ""
    hook.stdout.setEncoding("utf8").on("data", (text) => (out += text))
    hook.stderr.setEncoding("utf8").on("data", (text) => (err += text))
    hook.stdin.on("error", () => {})
    hook.on("error", (fault) => blocked(`could not run: ${fault.message}`))
    hook.on("close", (code) => {
      let answer
      try {
        answer = JSON.parse(out)
      } catch {}
      if (code === 0 && answer?.decision === "allow") resolve(answer.args)
      else if (answer?.reason || err) reject(new Error(answer?.reason ?? err.trim()))
      else blocked(`said nothing and ended with ${code}`)
    })
    hook.stdin.end(JSON.stringify(envelope))
  })

export const Asimi = async ({ directory }) => {
  let shell = process.env.SHELL ?? ""
  return {
    config: async (config) => {
      shell = config.shell ?? shell
    },
    "tool.execute.before": async ({ tool, sessionID, callID }, { args }) => {
      if (!JUDGED.includes(tool)) return
      const before = JSON.stringify(args)
      const other = await allowed({ sessionID, callID, tool, directory, args }, { ...process.env, SHELL: shell })
      if (JSON.stringify(args) !== before) throw new Error("asimi blocks this command: it was changed meanwhile")
      Object.freeze(Object.assign(args, other)) // what is judged is what runs, whatever plug-ins come next
    },
    "tool.execute.after": async ({ tool, sessionID, callID, args }) => {
      if (!CHANGES.includes(tool)) return
      const ended = { sessionID, callID, tool, directory, args, ended: true }
      await allowed(ended, { ...process.env, SHELL: shell }).catch(() => {}) // nothing is answered
    },
  }
}
