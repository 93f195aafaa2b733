// Runs of which a test knows what was learned, with a person who denies keys.env and approves the rest.
import type { CommandName, CommandParams, CommandResult } from '@tandem/contract/command'
import { expect } from 'vitest'
import type { Desktop } from './test-desktop.ts'

const learned = { timeout: 60_000 }

/** `desktop`: the one that is open. */
export function learningRuns(desktop: () => Desktop) {
  async function call<Name extends CommandName>(name: Name, params: CommandParams<Name>): Promise<CommandResult<Name>> {
    const answer = await desktop().runtime.commands.call(name, params)
    if (!answer.ok) throw new Error(`${name}: ${answer.error.message}`)
    return answer.value
  }

  return {
    call,
    async setPolicy(agent_id: string, tool: string, fields: Partial<CommandResult<'agent_tool_policy_get'>['policy']['policy']>) {
      const { policy } = await call('agent_tool_policy_get', { agent_id, tool })
      await call('agent_tool_policy_set', { agent_id, tool, policy: { ...policy.policy, ...fields } })
    },
    /** Returns when the run was learned from. */
    async ran(
      agent_id: string,
      text: string,
      conversation?: string,
    ): Promise<{ readonly run_id: string; readonly conversation_id: string }> {
      const { workspace } = desktop()
      const conversation_id =
        conversation ?? (await call('conversation_create', { agent_id, workspace, title: text })).conversation.conversation_id
      const { run_id } = (await call('agent_run_start', { conversation_id, text })).run
      for (;;) {
        await desktop().runtime.settled(run_id)
        const [waiting] = (await call('approval_list', { run_id })).items
        if (!waiting) break
        const { approval_id, fingerprint, arguments: given } = waiting.approval
        const answer = given.includes('keys.env') ? ({ answer: 'no', reason: 'Never.' } as const) : ({ answer: 'once' } as const)
        await call('agent_run_resume', { run_id, answer: { kind: 'approval', approval_id, fingerprint, ...answer } })
      }
      await expect.poll(async () => (await call('learning_of_run', { run_id })).reflection, learned).not.toBeNull()
      return { run_id, conversation_id }
    },
    /** The only candidate of the agent, in this state. */
    async candidate(agent_id: string, state: string): Promise<string> {
      const read = async () => (await call('agent_run_list_policy_candidates', { agent_id })).items
      await expect.poll(async () => (await read()).map((one) => one.state), learned).toEqual([state])
      return (await read())[0]?.id ?? ''
    },
  }
}
