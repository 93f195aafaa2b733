// The line below the composer: what answers, where, at what cost, and how commands are restricted.
import { homedir } from 'node:os'
import { truncateToWidth, visibleWidth } from '@earendil-works/pi-tui'
import { singleLine } from '../terminal/terminal-text.ts'

export interface StatusFacts {
  readonly model: string
  readonly folder: string
  readonly sandbox: string
  readonly input_tokens: number
  readonly output_tokens: number
  readonly estimated: boolean
  /** What it does now, or how it waits. */
  readonly activity: string
}

/** The parts that fit, most important first: activity, model, folder, sandbox, tokens. */
export function statusText(facts: StatusFacts, width: number): string {
  const { input_tokens, output_tokens, estimated } = facts
  const used = input_tokens + output_tokens
  const tokens = used === 0 ? '' : `${estimated ? '~' : ''}${shortNumber(input_tokens)} in, ${shortNumber(output_tokens)} out`
  const parts = [facts.activity, facts.model, folderText(facts.folder), facts.sandbox, tokens].map((part) => singleLine(part, 200))
  const shown: string[] = []
  for (const part of parts.filter((one) => one !== '')) {
    if (visibleWidth([...shown, part].join(' · ')) <= width) shown.push(part)
    else if (shown.length === 0) shown.push(truncateToWidth(part, width, '…'))
  }
  return shown.join(' · ')
}

export function shortNumber(count: number): string {
  if (count < 1_000) return String(count)
  return count < 1_000_000 ? `${(count / 1_000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`
}

export function folderText(folder: string, home = homedir()): string {
  return folder === home ? '~' : folder.startsWith(`${home}/`) ? `~${folder.slice(home.length)}` : folder
}
