// Finds every SKILL.md below the roots. It only reads; it never executes anything, and follows no link outside.
import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { type Dirent, readdirSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { SkillRoot } from '@tandem/contract/skill'
import type { Clock } from '../clock/clock.ts'
import type { InspectText, Suspicion } from '../policy/untrusted-text.ts'
import { type FileProblem, placeInside, readPlainFile } from './files.ts'
import { type ParsedSkill, parseSkill, unreadableSkill, type Yaml } from './frontmatter.ts'
import { skillLimits } from './limits.ts'
import type { SkillFolder } from './roots.ts'

interface ScannedSkill {
  readonly root: SkillRoot
  /** Real path of its SKILL.md. */
  readonly path: string
  readonly folder: string
  readonly content_sha256: string
  readonly parsed: Omit<ParsedSkill, 'body'>
  readonly flags: readonly Suspicion[]
}

const scanNotices = {
  link_outside: 'A link leads outside the skill folders; it was not followed',
  unreadable: 'A folder cannot be read',
  misnamed: 'The file must be called SKILL.md, in capital letters; the skill was not loaded',
  too_many: 'The folder contains too much; the rest was not scanned',
} as const
type ScanNoticeCode = keyof typeof scanNotices

export interface ScanNotice {
  readonly code: ScanNoticeCode
  readonly title: string
  readonly path: string
}

export interface Scan {
  readonly skills: readonly ScannedSkill[]
  readonly notices: readonly ScanNotice[]
}

/** What was read before, by real path: an unchanged file is not read again. */
export type ScanMemory = Map<string, { readonly stamp: string; readonly skill: ScannedSkill }>

export interface ScanPorts {
  readonly clock: Clock
  readonly inspect: InspectText
  loadYaml(): Promise<Yaml>
}

const skipped = new Set(['node_modules', '.git', '.hg', '.svn'])

export async function scanSkills(folders: readonly SkillFolder[], memory: ScanMemory, ports: ScanPorts): Promise<Scan> {
  const skills: ScannedSkill[] = []
  const notices: ScanNotice[] = []
  const roots = folders.flatMap(({ path, root }) => {
    const real = realOf(path)
    return real === null ? [] : [{ root, real }]
  })
  const inside = [...new Set(roots.map(({ real }) => real))]
  const visited = new Set<string>()
  let sliceBegan = ports.clock.elapsed()

  function notice(code: ScanNoticeCode, path: string): void {
    notices.push({ code, title: scanNotices[code], path })
  }

  async function walk(root: SkillRoot, top: string): Promise<void> {
    const waiting = [{ folder: top, depth: 0 }]
    let entries = 0
    for (const { folder, depth } of waiting) {
      if (visited.has(folder)) continue
      visited.add(folder)
      const listed = list(folder)
      if (!listed) {
        notice('unreadable', folder)
        continue
      }
      entries += listed.length
      if (entries > skillLimits.entries) return notice('too_many', top)
      if (ports.clock.elapsed() - sliceBegan > skillLimits.slice_ms) {
        await new Promise(setImmediate)
        sliceBegan = ports.clock.elapsed()
      }
      const file = listed.find(({ name }) => name === 'SKILL.md')
      const misnamed = file ? undefined : listed.find(({ name }) => name.toLowerCase() === 'skill.md')
      if (misnamed) notice('misnamed', join(folder, misnamed.name))
      if (file) await take(root, folder, file)
      else if (depth < skillLimits.depth) waiting.push(...below(folder, listed).map((each) => ({ folder: each, depth: depth + 1 })))
    }
  }

  function below(folder: string, listed: readonly Dirent[]): string[] {
    return listed.flatMap((entry) => {
      if (skipped.has(entry.name)) return []
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return [path]
      if (!entry.isSymbolicLink()) return []
      const place = placeInside(path, inside)
      if (place.ok) return [place.path]
      if (place.why === 'outside') notice('link_outside', path)
      return []
    })
  }

  async function take(root: SkillRoot, above: string, entry: Dirent): Promise<void> {
    const path = join(above, entry.name)
    // The folder's path is already real; only a link can lead elsewhere.
    const place = entry.isSymbolicLink() ? placeInside(path, inside) : { ok: true as const, path }
    if (!place.ok && place.why === 'outside') return notice('link_outside', path)
    const known = place.ok ? memory.get(place.path) : undefined
    const opened = place.ok ? readPlainFile(place.path, skillLimits.file_bytes, known?.stamp) : place
    if (!opened.ok) {
      const parsed = unreadableSkill(basename(dirname(path)), faultOf(opened.why))
      skills.push({ root, path, folder: dirname(path), content_sha256: sha256(''), parsed, flags: [] })
      return
    }
    if (opened.bytes === null && known) {
      skills.push({ ...known.skill, root })
      return
    }
    const skill = readSkill(root, opened.file.path, opened.bytes ?? Buffer.alloc(0), await ports.loadYaml(), ports.inspect)
    if (memory.size >= skillLimits.entries) memory.clear()
    memory.set(opened.file.path, { stamp: opened.file.stamp, skill })
    skills.push(skill)
  }

  for (const { root, real } of roots) await walk(root, real)
  return { skills, notices }
}

function readSkill(root: SkillRoot, path: string, bytes: Buffer, yaml: Yaml, inspect: InspectText): ScannedSkill {
  const folder = dirname(path)
  const text = bytes.toString('utf8')
  const { body: _body, ...parsed } = bytes.includes(0)
    ? unreadableSkill(basename(folder), 'it is not a text file')
    : parseSkill(text, basename(folder), yaml)
  const notes = isUtf8(bytes) ? parsed.notes : [...parsed.notes, notUtf8]
  return { root, path, folder, content_sha256: sha256(bytes), parsed: { ...parsed, notes }, flags: inspect('SKILL.md', text) }
}

const notUtf8 = 'SKILL.md is not UTF-8, so some of its letters are lost. Save it as UTF-8.'

function faultOf(why: FileProblem): string {
  if (why === 'too_large') return `it is longer than ${skillLimits.file_bytes} bytes`
  return why === 'not_a_file' ? 'it is not a regular file' : 'it cannot be read'
}

function list(folder: string): Dirent[] | null {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((left, right) => (left.name < right.name ? -1 : 1))
  } catch {
    // The notice reports it.
    return null
  }
}

function realOf(path: string): string | null {
  try {
    return realpathSync.native(path)
  } catch {
    // A root that does not exist has no skills.
    return null
  }
}

function sha256(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex')
}
