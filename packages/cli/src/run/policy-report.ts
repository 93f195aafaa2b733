// Changes of the policy of the agent, beside the run that a command follows.
import type { LocalRun } from '@tandem/contract/command'
import type { RuntimeClient } from '../runtime-client/runtime-client.ts'
import { styled } from '../terminal/style.ts'
import { policyNote } from './policy-note.ts'
import type { Printer } from './printer.ts'

/** A command may follow several runs, one after the other. */
const reports = new WeakMap<Pick<RuntimeClient, 'watch'>, AbortController>()

/** Until the client is closed, or follows another run: a run that failed may undo a change after its end. */
export async function reportPolicyChanges(
  client: Pick<RuntimeClient, 'watch'>,
  { agent_id }: Pick<LocalRun, 'agent_id'>,
  printer: Pick<Printer, 'settle'>,
  write: (line: string) => void = console.error,
): Promise<void> {
  reports.get(client)?.abort()
  const replaced = new AbortController()
  reports.set(client, replaced)
  await client.watch(({ event }) => {
    const note = policyNote(event, agent_id)
    if (note === null) return
    printer.settle()
    write(styled('dim', note))
  }, replaced.signal)
}
