// `allowed-tools` of the active skills restricts what runs without approval. It never allows more.
import type { CallPolicy } from '../call/call-policy.ts'

/** Names of similar tools in other clients. */
const alike: Readonly<Record<string, readonly string[]>> = {
  read: ['fs.read'],
  write: ['fs.write', 'fs.mkdir'],
  edit: ['fs.edit'],
  multiedit: ['fs.edit'],
  ls: ['fs.list'],
  glob: ['fs.list', 'fs.search'],
  grep: ['fs.search'],
  bash: ['shell.exec'],
  webfetch: ['web.fetch', 'web.extract'],
  websearch: ['web.search'],
  todowrite: ['todo.create', 'todo.update', 'todo.complete'],
  task: ['agent.delegate', 'agent.spawn'],
}

/** Whether one of the entries names the tool. `Bash(git:*)` has a restriction that cannot be enforced, so it names nothing. */
export function namesTool(allowed: readonly string[], tool: string): boolean {
  return allowed.some((entry) => {
    if (entry.includes('(')) return false
    if (entry === tool || (entry.endsWith('*') && tool.startsWith(entry.slice(0, -1)))) return true
    const claude = /^mcp__([A-Za-z0-9-]+)__(.+)$/.exec(entry)
    if (claude) return tool === `mcp.${claude[1]}.${claude[2]}`
    return alike[entry.toLowerCase()]?.includes(tool) ?? false
  })
}

/** The restrictions of the active skills; a skill without a list has none. Only what is stricter than the policy is applied. */
export function restrictedBySkills(policy: CallPolicy, tool: string, lists: readonly (readonly string[])[]): CallPolicy {
  const isNamed = lists.every((list) => list.length === 0 || namesTool(list, tool))
  return isNamed ? policy : { ...policy, approval_mode: 'required' }
}
