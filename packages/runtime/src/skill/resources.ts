// The files next to a SKILL.md: listed and read one by one, only inside the skill's own folder.
import { type Dirent, readdirSync } from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'
import { type FileProblem, placeInside, readPlainFile } from './files.ts'
import { skillLimits } from './limits.ts'

/** Relative paths, sorted; links, hidden files and SKILL.md itself are left out. */
export function listResources(folder: string): readonly string[] {
  const found: string[] = []
  const waiting = [{ at: folder, depth: 0 }]
  for (let next = waiting.shift(); next && found.length < skillLimits.resources; next = waiting.shift()) {
    for (const entry of entriesOf(next.at)) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue
      const path = join(next.at, entry.name)
      if (entry.isDirectory() && next.depth < skillLimits.resource_depth) waiting.push({ at: path, depth: next.depth + 1 })
      const name = relative(folder, path).split(sep).join('/')
      if (entry.isFile() && name !== 'SKILL.md' && found.length < skillLimits.resources) found.push(name)
    }
  }
  return found.sort()
}

export type ResourceText = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: FileProblem | 'not_text' }

export function readResource(folder: string, name: string): ResourceText {
  if (isAbsolute(name) || name.includes('\0') || name.split(/[\\/]/).includes('..')) return { ok: false, why: 'outside' }
  const place = placeInside(join(folder, name), [folder])
  if (!place.ok) return place
  const opened = readPlainFile(place.path, skillLimits.resource_bytes)
  if (!opened.ok) return opened
  const bytes = opened.bytes ?? Buffer.alloc(0)
  return bytes.includes(0) ? { ok: false, why: 'not_text' } : { ok: true, text: bytes.toString('utf8') }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    // Removed or not accessible: there is nothing to list.
    return []
  }
}
