// Every command by its name. Each takes a few lines and calls one feature.

import type { CommandTable } from '../feature/command-table.ts'
import { agentHandlers } from './agents.ts'
import { conversationHandlers } from './conversations.ts'
import type { Features } from './features.ts'
import { hostHandlers } from './host.ts'
import { importHandlers } from './import/import-conversation.ts'
import { policyHandlers } from './policies.ts'
import { pendingHandlers, runHandlers, stepHandlers } from './runs.ts'
import { workflowRunHandlers } from './workflow-runs.ts'

export function commandTable(features: Partial<Features>): CommandTable {
  const table: CommandTable = {
    ...given(features, ['agents'], agentHandlers),
    ...given(features, ['store', 'journal', 'events', 'agents', 'workspaces'], conversationHandlers),
    ...given(features, ['store', 'journal', 'events', 'agents'], importHandlers),
    ...given(features, ['journal'], stepHandlers),
    ...given(features, ['journal'], workflowRunHandlers),
    ...given(features, ['journal', 'runs', 'workspaces'], runHandlers),
    ...given(features, ['journal', 'approvals', 'questions'], pendingHandlers),
    ...given(features, ['agents', 'policies', 'callPolicies', 'tools', 'journal'], policyHandlers),
    ...given(features, ['store', 'events', 'settings', 'about', 'workspaces'], (host) =>
      hostHandlers(host, (name) => table[name] !== undefined),
    ),
  }
  for (const [name, handler] of Object.entries(features.others ?? {})) {
    if (Object.hasOwn(table, name)) throw new Error(`${name} has two handlers`)
    Object.assign(table, { [name]: handler })
  }
  return table
}

function given<Name extends keyof Features>(
  features: Partial<Features>,
  needed: readonly Name[],
  make: (features: Pick<Features, Name>) => CommandTable,
): CommandTable {
  return needed.every((name) => features[name] !== undefined) ? make(features as Pick<Features, Name>) : {}
}
