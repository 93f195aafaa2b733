// The line below the composer: what answers, where, at what cost, and how commands are restricted.
import { homedir } from 'node:os'
import { basename } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { truncateToWidth, visibleWidth } from '@earendil-works/pi-tui'
import { singleLine } from '../terminal/terminal-text.ts'

export interface StatusFacts {
  readonly model: string
  readonly folder: string
  readonly sandbox: string
  readonly input_tokens: number
  readonly output_tokens: number
  readonly estimated: boolean
  /** Empty if no price is known. */
  readonly cost: string
  /** What it does now, or how it waits. */
  readonly activity: string
}

/** The parts that fit, most important first: activity, model, folder, sandbox, tokens and cost. */
export function statusText(facts: StatusFacts, width: number): string {
  const { input_tokens, output_tokens, estimated } = facts
  const used = input_tokens + output_tokens
  const tokens = used === 0 ? '' : `${estimated ? '~' : ''}${shortNumber(input_tokens)} in, ${shortNumber(output_tokens)} out`
  const folder = folderText(facts.folder)
  const parts = [[facts.activity], [facts.model], [folder, `…/${basename(folder)}`], [facts.sandbox], usedForms(tokens, facts.cost)]
  const shown: string[] = []
  for (const forms of parts.filter(([first]) => first !== '')) {
    const clean = forms.map((form) => singleLine(form, 200))
    const fitting = clean.find((form) => visibleWidth([...shown, form].join(' · ')) <= width)
    if (fitting !== undefined) shown.push(fitting)
    else if (shown.length === 0) shown.push(stripVTControlCharacters(truncateToWidth(clean.at(-1) ?? '', width, '…')))
  }
  return shown.join(' · ')
}

/** If there is no room for both, a price says more than tokens. */
function usedForms(tokens: string, cost: string): readonly string[] {
  if (tokens === '' || cost === '') return [tokens]
  return [`${tokens} · ${cost}`, cost === 'local' ? tokens : cost]
}

export function shortNumber(count: number): string {
  if (count < 1_000) return String(count)
  return count < 1_000_000 ? `${(count / 1_000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`
}

export function folderText(folder: string, home = homedir()): string {
  return folder === home ? '~' : folder.startsWith(`${home}/`) ? `~${folder.slice(home.length)}` : folder
}
