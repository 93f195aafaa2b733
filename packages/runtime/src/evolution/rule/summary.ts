// What a gap says to the user: names of tools, counts and the user's own words. Pure.
import type { MinedBehavior } from './mined-behavior.ts'

export function summaryOf({ what, runs, days, tools, words, summary }: MinedBehavior): string {
  const often = `${runs} runs on ${days} days`
  if (what === 'sequence') {
    const example = words === null ? '' : ` The latest request was: “${words}”`
    return `The same ${tools.length} steps were repeated in ${often}, with ${[...new Set(tools)].join(', ')}.${example}`
  }
  if (what === 'constraint') return `You asked for the same thing in ${often}: “${words ?? ''}”`
  return `${summary ?? ''} The same happened in ${often}.${words === null ? '' : ` You wrote: “${words}”`}`
}
