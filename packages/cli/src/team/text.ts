// How a team is written in a terminal. Titles, steps and messages are untrusted: every character of them is made visible.
import { type MemberNode, memberTree, type Team, type TeamBudget, type TeamMember } from '@tandem/contract/team'
import { grouped } from '@tandem/contract/text'
import { pauseTexts } from '../run/pause-text.ts'
import { counted } from '../terminal/quantity.ts'
import { singleLine } from '../terminal/terminal-text.ts'

const indent = '  '

export function titleText({ title }: { readonly title: string }): string {
  return singleLine(title, 120)
}

/** Each member with its id and what it does, below the one that started it; then the budget. */
export function teamLines(team: Team): string[] {
  const lines = memberTree(team.members).flatMap((node) => nodeLines(node, ''))
  return team.budget === null ? lines : [...lines, '', ...budgetLines(team.budget)]
}

function nodeLines({ member, children }: MemberNode, before: string): string[] {
  const below = `${before}${indent}`
  return [
    `${before}${memberLine(member)}`,
    `${below}${[member.run_id, ...(member.doing === null ? [] : [singleLine(member.doing, 200)])].join('  ')}`,
    ...needLines(member).map((line) => `${below}${line}`),
    ...children.flatMap((child) => nodeLines(child, below)),
  ]
}

function memberLine(member: TeamMember): string {
  const { agent_name, usage, turns } = member
  const used = `${counted(usage.input_tokens + usage.output_tokens, 'token')}, ${counted(turns, 'turn')}`
  return `${titleText(member)} (${singleLine(agent_name, 60)}): ${stateText(member)}, ${used}`
}

/** With why it failed. */
export function stateText({ state, pause_reason, failure_contract }: TeamMember): string {
  if (state === 'paused' && pause_reason !== null) return `paused (${pauseTexts[pause_reason]})`
  return failure_contract === null ? state : `${state} (${singleLine(failure_contract.details.message, 200)})`
}

/** What it needs from the user, and how to answer. */
export function needLines({ run_id, pending_approvals, pending_questions }: TeamMember): string[] {
  return [
    ...(pending_approvals > 0 ? [`${counted(pending_approvals, 'approval')} pending: tandem resume ${run_id} --answer once`] : []),
    ...(pending_questions > 0 ? [`${counted(pending_questions, 'question')} pending: tandem resume ${run_id} --answer "…"`] : []),
  ]
}

function budgetLines({ limit, spent }: TeamBudget): string[] {
  const amount = (name: 'tokens' | 'turns') => `${grouped(spent[name])} of ${counted(limit[name], name.slice(0, -1))}`
  return [`Budget: ${amount('tokens')}, ${amount('turns')}, ${minutes(spent.seconds)} of ${counted(minutes(limit.seconds), 'minute')}`]
}

function minutes(seconds: number): number {
  return Math.floor(seconds / 60)
}
