// A shadow over recorded commands: when they were understood before, and the first time.
import type { PolicyChange } from '@tandem/contract/policy-candidate'
import { canonicalJson } from '@tandem/contract/sync'
import { openCallRecords } from '../packages/runtime/src/learning/candidate/call-records.ts'
import { openCommandCache } from '../packages/runtime/src/learning/candidate/rule/understood-command.ts'
import { shadow } from '../packages/runtime/src/learning/candidate/shadow.ts'
import { type LearningDevice, spent } from './learning-device.ts'
import { recordedRuns, writeRun } from './learning-journal.ts'

export interface ShadowTimes {
  readonly field: string
  /** The commands were understood before. */
  readonly known: readonly number[]
  readonly first: number
  /** Only reading the recorded calls. */
  readonly read: number
}

const agent_id = 'shadowed'
const tool = 'shell.exec'

/** Each in a folder of its own, so that every command has to be understood. */
export async function recordCommands(device: LearningDevice, count: number): Promise<void> {
  const commands = recordedRuns.map(({ calls, ...run }) => ({ ...run, calls: calls.filter((call) => call.tool === tool) }))
  for (let [at, recorded] = [0, 0]; recorded < count; at += 1) {
    const run = commands[at % commands.length]
    if (!run) throw new Error('there are no recorded runs')
    await device.learn(writeRun(device, { ...run, agent_id, workspace: `/srv/${at}` }))
    recorded += run.calls.length
  }
}

export async function measureShadow(device: LearningDevice, rounds: number): Promise<readonly ShadowTimes[]> {
  const records = openCallRecords(device)
  const { policy } = device.policies.of(agent_id, tool)
  const changes: readonly PolicyChange[] = [
    { tool, field: 'remembered', from: '[]', to: canonicalJson([{ kind: 'command', words: ['ls'] }]) },
    { tool, field: 'fs_scope', from: canonicalJson(policy.fs_scope), to: canonicalJson({ roots: ['.'], globs: ['**', '!keys.env'] }) },
    { tool, field: 'network_scope', from: canonicalJson(policy.network_scope), to: canonicalJson({ hosts: ['*', 'example.org'] }) },
  ]
  const found: ShadowTimes[] = []
  for (const change of changes) {
    const commands = openCommandCache()
    const judge = async () => {
      const calls = await records.ofTools(agent_id, [tool])
      const ports = { commands, enforcement: () => 'os' as const, policyOf: () => device.policies.of(agent_id, tool) }
      const candidate = { rule: 'approved_rule' as const, evidence: [], widens: true, changes: [change] }
      const { calls_checked, calls_unjudged } = await shadow(candidate, calls, { ...ports, elapsed: device.clock.elapsed })
      if (calls_checked + calls_unjudged < calls.length) throw new Error('not every call was compared')
    }
    const first = await spent(judge)
    const known: number[] = []
    for (let round = 0; round < rounds; round += 1) known.push(await spent(judge))
    found.push({ field: change.field, known, first, read: await spent(() => records.ofTools(agent_id, [tool])) })
  }
  return found
}
