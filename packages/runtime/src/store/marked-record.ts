// The fields of a record that are paths. A record belongs to no workspace, so only the home folder has a marker in it.
import { markPath, type Rewrite, unmarkPath } from '@tandem/contract/marked-path'
import type { RecordType } from './synchronized.ts'

/** Arguments of a server and the patterns of a scope are no paths: they leave as they are. */
const pathFields: Readonly<Record<RecordType, readonly (readonly string[])[]>> = {
  agents: [],
  agent_tool_policies: [['policy', 'fs_scope', 'roots']],
  agent_skill_bindings: [],
  mcp_servers: [['command'], ['working_directory']],
  todos: [],
}

export function markRecord<Payload>(type: RecordType, payload: Payload, homes: readonly string[]): Payload {
  return rewritten(type, payload, (path) => markPath(path, { workspace: '', homes }))
}

export function unmarkRecord<Payload>(type: RecordType, payload: Payload, homes: readonly string[]): Payload {
  return rewritten(type, payload, (path) => unmarkPath(path, { workspace: '', homes }))
}

function rewritten<Payload>(type: RecordType, payload: Payload, rewrite: Rewrite): Payload {
  return pathFields[type].reduce((before, names) => rewrittenAt(before, names, rewrite) as Payload, payload)
}

/** What is not there, or not a path, is left as it is: another program may have written the record wrongly. */
function rewrittenAt(value: unknown, [name, ...rest]: readonly string[], rewrite: Rewrite): unknown {
  if (name === undefined) {
    if (Array.isArray(value)) return value.map((one) => rewrittenAt(one, [], rewrite))
    return typeof value === 'string' ? rewrite(value) : value
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return value
  return { ...value, [name]: rewrittenAt((value as Record<string, unknown>)[name], rest, rewrite) }
}
