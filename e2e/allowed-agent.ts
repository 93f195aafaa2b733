import type { Desktop } from './test-desktop.ts'

/** The agent of the window, with tools that need no approval, so that a run is one step for the test. */
export async function makeAllowedAgent({ runtime: { commands } }: Desktop, tools: readonly string[]): Promise<void> {
  const made = await commands.call('agent_create', { name: 'Tester' })
  if (!made.ok) throw new Error(made.error.message)
  const { agent_id } = made.value.agent
  for (const tool of tools) {
    const read = await commands.call('agent_tool_policy_get', { agent_id, tool })
    if (!read.ok) throw new Error(read.error.message)
    await commands.call('agent_tool_policy_set', { agent_id, tool, policy: { ...read.value.policy.policy, approval_mode: 'auto' } })
  }
}
