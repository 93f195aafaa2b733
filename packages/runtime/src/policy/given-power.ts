// What a call would write that other programs read or run later, wherever its links lead.
import { dirname, resolve } from 'node:path'
import { type PlacedCall, type Places, pathOfWord, placeIn } from './places.ts'
import { givesPower } from './power.ts'
import { isHarmless, rowFor } from './shell/program-table.ts'
import type { SimpleCommand, Understanding } from './shell/understanding.ts'

export interface GivenPower {
  /** As the call names it. */
  readonly path: string
  readonly real: string
}

type WritingCall = PlacedCall & { readonly places?: Places }

export function powersOf(call: WritingCall): readonly GivenPower[] {
  const { effects, workspace, command, places } = call
  const written = effects.flatMap((effect) => (effect.does === 'write' || effect.does === 'delete' ? [effect.path] : []))
  const found = [...written, ...(command?.understood ? commandWrites(command, call) : [])].map((path) => {
    const absolute = resolve(workspace, path)
    const { real, entry } = placeIn(places, absolute)
    return { path, real, gives: [absolute, real, entry].some(givesPower) }
  })
  return found.filter(({ gives }) => gives).map(({ path, real }) => ({ path, real }))
}

function commandWrites(command: Extract<Understanding, { understood: true }>, call: WritingCall): readonly string[] {
  const named = command.commands.flatMap((one) => writtenBy(one, command.folder ?? call.workspace, call))
  return [...new Set([...command.writes, ...named])]
}

/** Their operands are known to be read in a certain way: what they do not write is not counted. */
const writers: readonly string[] = [
  'cp',
  'mv',
  'ln',
  'install',
  'rsync',
  'rm',
  'rmdir',
  'unlink',
  'tee',
  'mkdir',
  'touch',
  'truncate',
  'shred',
  'chmod',
  'chown',
  'chgrp',
]

/** Any word of a program that is not known to only look may name what it writes. */
function writtenBy({ words, text }: SimpleCommand, folder: string, { targets, places }: WritingCall): readonly string[] {
  const known = rowFor(words)
  if (known && !known.row.creates && isHarmless(words.slice(known.length), known.row)) return []
  const said = writers.includes(words[0] ?? '') ? targets?.get(text) : undefined
  return said?.filter((path) => !isBelowFile(path, said, places)) ?? words.slice(1).flatMap((word) => pathOfWord(word, folder) ?? [])
}

/** `cp a b` writes `b/a` only where `b` is a folder, or a link that may lead to one. */
function isBelowFile(path: string, all: readonly string[], places: Places | undefined): boolean {
  const above = dirname(path)
  const place = placeIn(places, above)
  return all.includes(above) && !place.folder && place.real === place.entry
}
