// What a call would write that gives power over other programs, wherever its links lead.
import { resolve } from 'node:path'
import { type PlacedCall, type Places, pathOfWord, placeIn } from './places.ts'
import { givesPower } from './power.ts'
import { isHarmless, rowFor } from './shell/program-table.ts'
import type { Understanding } from './shell/understanding.ts'

export interface GivenPower {
  /** As the call names it. */
  readonly path: string
  readonly real: string
}

export function powersOf(call: PlacedCall & { readonly places?: Places }): readonly GivenPower[] {
  const { effects, workspace, command, places } = call
  const written = effects.flatMap((effect) => (effect.does === 'write' || effect.does === 'delete' ? [effect.path] : []))
  const found = [...written, ...(command?.understood ? commandWrites(command, workspace) : [])].map((path) => {
    const absolute = resolve(workspace, path)
    const { real, entry } = placeIn(places, absolute)
    return { path, real, gives: [absolute, real, entry].some(givesPower) }
  })
  return found.filter(({ gives }) => gives).map(({ path, real }) => ({ path, real }))
}

/** What it redirects to, and whatever a program that is not known to only look is told of: it may be what it writes. */
function commandWrites(command: Extract<Understanding, { understood: true }>, workspace: string): readonly string[] {
  const named = command.commands.flatMap(({ words }) => {
    const known = rowFor(words)
    if (known && isHarmless(words.slice(known.length), known.row)) return []
    return words.slice(1).flatMap((word) => pathOfWord(word, command.folder ?? workspace) ?? [])
  })
  return [...new Set([...command.writes, ...named])]
}
