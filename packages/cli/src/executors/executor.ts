// What the actions share: finding an executor by its name or id, and its text in a terminal.
import { executorProblem, type ListedExecutor } from '@tandem/contract/executor'
import type { CommandAnswer, RuntimeClient } from '../runtime-client/runtime-client.ts'
import { stripControls } from '../terminal/terminal-text.ts'

export async function listExecutors(client: RuntimeClient): Promise<CommandAnswer<ListedExecutor[]>> {
  const page = await client.call('executor_list', { limit: 200 })
  return page.ok ? { ok: true, value: page.value.items } : page
}

export async function findExecutor(client: RuntimeClient, word: string): Promise<CommandAnswer<ListedExecutor>> {
  const all = await listExecutors(client)
  if (!all.ok) return all
  const found = all.value.find(({ executor_id, name }) => executor_id === word || name.toLowerCase() === word.toLowerCase())
  if (found) return { ok: true, value: found }
  return {
    ok: false,
    error: { code: 'not_found', message: `there is no remote executor ${word}`, remedy: 'List them with tandem executors.' },
  }
}

/** What it offers, or why it cannot be used and when the next attempt is. */
export function executorText(executor: ListedExecutor): string {
  const { name, executor_url, state, negotiation } = executor
  const lines = [`${name}: ${state}, ${executor_url}`]
  if (negotiation?.outcome === 'negotiated') {
    const { protocol, method, executor: host, capabilities, health } = negotiation
    lines.push(`  ${protocol} by ${method}, ${host.name} ${host.version} (${host.os}, ${host.arch})`)
    lines.push(`  offers ${capabilities.map((one) => one.name).join(', ') || 'nothing'}`)
    if (health?.status === 'degraded') lines.push(`  degraded${health.message === undefined ? '' : `: ${health.message}`}`)
  }
  const problem = executorProblem(executor)
  if (problem !== null) lines.push(`  ${problem}`)
  if (negotiation?.outcome === 'failed') {
    const { message, remedy } = negotiation.failure_contract.details
    lines.push(`  ${message}`, ...(remedy === undefined ? [] : [`  ${remedy}`]))
  }
  return lines.map(stripControls).join('\n')
}
