// `tandem policy rules` and `tandem policy revoke`: what "always" remembers, and how to revoke it.
import type { ListedRule } from '@tandem/contract/command'
import { ruleText } from '../run/rule-text.ts'
import type { CommandAnswer, RuntimeClient } from '../runtime-client/runtime-client.ts'
import { printRefusal } from '../terminal/refusal.ts'
import { table } from '../terminal/table.ts'
import { escapeControls } from '../terminal/terminal-text.ts'

/** Of one agent, or of all of them. */
export async function listRules(client: RuntimeClient, agent_id: string | null, json: boolean): Promise<number> {
  const rules: ListedRule[] = []
  let cursor: string | null = null
  do {
    const page: CommandAnswer<{ items: ListedRule[]; next_cursor: string | null }> = await client.call('approval_rule_list', {
      limit: 200,
      ...(agent_id === null ? {} : { agent_id }),
      ...(cursor ? { cursor } : {}),
    })
    if (!page.ok) {
      printRefusal(page.error)
      return 1
    }
    rules.push(...page.value.items)
    cursor = page.value.next_cursor
  } while (cursor)
  if (json) for (const rule of rules) console.log(JSON.stringify(rule))
  else if (rules.length === 0) console.log('No rules. Answer an approval with "always" to create one.')
  else {
    console.log(table(rules.map(rowOf)))
    console.log('Revoke a rule with: tandem policy revoke ID')
  }
  return 0
}

export async function revokeRule(client: RuntimeClient, rule_id: string): Promise<number> {
  const answer = await client.call('approval_rule_revoke', { rule_id })
  if (!answer.ok) {
    printRefusal(answer.error)
    return answer.error.code === 'invalid_params' ? 2 : 1
  }
  const { tool, rule } = answer.value.revoked
  console.log(`Revoked: ${tool}, ${ruleText(rule)}. These calls need approval again.`)
  return 0
}

function rowOf(one: ListedRule): string[] {
  const { rule_id, agent_name, agent_id, tool, rule, applies } = one
  const state = applies ? '' : 'no longer applies'
  return [rule_id, escapeControls(agent_name ?? agent_id), tool, ruleText(rule), grantText(one), useText(one), state]
}

function grantText({ granted_at, granted_in, granted_on }: ListedRule): string {
  if (granted_at === null) return granted_on === 'another_device' ? 'granted on another device' : 'granted at an unknown time'
  return `granted ${localTime(granted_at)}${granted_in ? ` in "${escapeControls(granted_in.title)}"` : ''}`
}

function useText({ last_used_at, uses }: ListedRule): string {
  if (last_used_at === null) return 'not used here yet'
  return `used ${uses === 1 ? 'once' : `${uses} times`}, last ${localTime(last_used_at)}`
}

function localTime(timestamp: string): string {
  return new Date(timestamp).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
}
