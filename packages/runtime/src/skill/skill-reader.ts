// The skills of this device as the service uses them: found, compared with their bindings, and read.
import { createHash } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import { type SkillBinding, skillProblem } from '@tandem/contract/skill'
import { timestamp } from '../clock/clock.ts'
import type { Suspicion } from '../policy/untrusted-text.ts'
import { othersFirst } from '../scheduler/slices.ts'
import { type BoundFolder, type BoundFolderPorts, boundFolder } from './bound-folder.ts'
import { type Catalog, type CatalogSkill, readCatalog } from './catalog.ts'
import { checkCompatibility, problemsOf } from './compatibility.ts'
import { readPlainFile } from './files.ts'
import { type FolderRead, readFolderFiles } from './folder-files.ts'
import { parseSkill, type Yaml } from './frontmatter.ts'
import { type Host, openHost } from './host.ts'
import { type Candidate, leftOutTitle, unusableReason, wantedLevel } from './injection.ts'
import { skillLimits } from './limits.ts'
import { readResource } from './resources.ts'
import type { ScanMemory } from './scan.ts'
import type { AgentSkillContext, ListedBinding, SkillContext, SkillPorts } from './service.ts'
import { inspectMarkdown } from './suspicious-text.ts'

export interface SkillReader {
  catalog(situation: SkillContext): Promise<Catalog>
  hostOf(situation: SkillContext): Host
  /** A skill that is in no folder. */
  fromText(situation: SkillContext, given: { readonly name: string; readonly path: string; readonly text: string }): Promise<CatalogSkill>
  /** Null for a skill that is missing or cannot be used. */
  folderOf(binding: SkillBinding, found: CatalogSkill | undefined): Promise<BoundFolder | null>
  listed(binding: SkillBinding, found: CatalogSkill | undefined): Promise<ListedBinding>
  candidate(bound: Pick<Candidate, 'binding' | 'unread'>, found: CatalogSkill | undefined, situation: AgentSkillContext): Promise<Candidate>
  /** The text of a skill, only if it is the text that was scanned. */
  textOf(found: CatalogSkill): string | null
  bodyOf(found: CatalogSkill, folder: BoundFolder | null): Promise<string | null>
  /** What is suspicious in its Markdown files: instructions are often in several of them. */
  suspicions(found: CatalogSkill, read: FolderRead): readonly Suspicion[]
}

export function openSkillReader(ports: SkillPorts, { hashes, copies }: BoundFolderPorts): SkillReader {
  const memory: ScanMemory = new Map()
  const scans = new Map<string, Promise<Catalog>>()
  const inspect = inspectMarkdown(ports.inspect)
  let yaml: Promise<Yaml> | null = null
  const loadYaml = () => (yaml ??= loadInParts())

  const hostOf = ({ workspace, sandbox_mode }: SkillContext) =>
    openHost({ ...ports.host, workspace, sandbox_mode, executors: ports.executors() })

  /** Requests at the same time share one scan. */
  function catalog(situation: SkillContext): Promise<Catalog> {
    const { workspace, sandbox_mode } = situation
    const key = `${sandbox_mode} ${workspace ?? ''}`
    const scan =
      scans.get(key) ??
      readCatalog(ports.folders(workspace), hostOf(situation), memory, { ...ports, inspect, loadYaml }).finally(() => scans.delete(key))
    scans.set(key, scan)
    return scan
  }

  async function folderOf(binding: SkillBinding, found: CatalogSkill | undefined): Promise<BoundFolder | null> {
    return found && found.skill.problems.length === 0 ? await boundFolder(binding, found.folder, { hashes, copies }) : null
  }

  async function fromText(
    situation: SkillContext,
    { name, path, text }: { name: string; path: string; text: string },
  ): Promise<CatalogSkill> {
    const { frontmatter, problems, notes } = parseSkill(text, name, await loadYaml())
    const checks = await checkCompatibility(frontmatter.requires, hostOf(situation), dirname(path))
    const content_sha256 = createHash('sha256').update(text).digest('hex')
    const found = { root: 'user' as const, path, content_sha256, scanned_at: timestamp(ports.clock.now()) }
    const skill = { ...frontmatter, ...found, problems: [...problems, ...problemsOf(checks)], notes: [...notes] }
    return { skill, folder: dirname(path), flags: inspect('SKILL.md', text), checks, text }
  }

  function textOf({ skill, text }: CatalogSkill): string | null {
    if (text !== undefined) return text
    const opened = readPlainFile(skill.path, skillLimits.file_bytes)
    return opened.ok && memory.get(skill.path)?.stamp === opened.file.stamp ? (opened.bytes?.toString('utf8') ?? '') : null
  }

  async function bodyOf(found: CatalogSkill, folder: BoundFolder | null): Promise<string | null> {
    const text = folder?.state === 'open' ? copiedText(folder.path, found) : textOf(found)
    return text === null ? null : parseSkill(text, found.skill.name, await loadYaml()).body
  }

  /** Texts are read where agents read them. Suspicious ones are left out; the model can still load them by name. */
  async function filesOf({ folder, text: given }: CatalogSkill, bound: BoundFolder | null) {
    if (given !== undefined) return { names: [], texts: () => [] }
    const from = bound?.state === 'open' ? bound.path : folder
    const names = otherFiles(await readFolderFiles(from, hashes))
    const texts = () =>
      names.flatMap((name) => {
        const read = readResource(from, name)
        return read.ok && !inspect(name, read.text).some(({ grave }) => grave) ? [{ name, text: read.text }] : []
      })
    return { names, texts }
  }

  return {
    catalog,
    hostOf,
    fromText,
    folderOf,
    textOf,
    bodyOf,
    async listed(binding, found) {
      const skill = found?.skill ?? null
      const problems = skill?.problems ?? [skillProblem('missing_path', `skills/${binding.skill_name}/SKILL.md`)]
      const folder = await folderOf(binding, found)
      const barrier = unusableReason({ binding, skill: found?.skill, flags: found?.flags ?? [], folder })
      return { binding, skill, barrier, title: barrier && leftOutTitle(barrier, folder), problems, folder }
    },
    async candidate({ binding, unread = false }, found, { invoked: names = [] }) {
      const folder = await folderOf(binding, found)
      const invoked = names.includes(binding.skill_name)
      const level = wantedLevel({ binding, invoked })
      const reason = unusableReason({ binding, unread, skill: found?.skill, flags: found?.flags ?? [], folder })
      const usable = reason === null && level !== 'summary' ? found : undefined
      const body = usable ? await bodyOf(usable, folder) : ''
      const files = usable ? await filesOf(usable, folder) : { names: [], texts: () => [] }
      return {
        binding,
        unread,
        // Changed between the scan and the read: treated as missing; the next scan finds it again.
        skill: body === null ? undefined : found?.skill,
        flags: found?.flags ?? [],
        folder,
        invoked,
        body: body ?? '',
        names: files.names,
        files: level === 'full' ? files.texts() : [],
      }
    },
    suspicions({ folder, flags }, read) {
      const others = otherFiles(read).filter((name) => /\.(?:md|mdx|markdown)$/i.test(name))
      const found = others.flatMap((name) => {
        const text = readResource(folder, name)
        return text.ok ? inspect(name, text.text) : []
      })
      return [...flags, ...found]
    },
  }
}

/** Without the SKILL.md. */
export function otherFiles(read: FolderRead): string[] {
  return read.ok ? read.value.files.map(({ name }) => name).filter((name) => name !== 'SKILL.md') : []
}

function copiedText(copy: string, { skill }: CatalogSkill): string | null {
  const opened = readPlainFile(join(copy, basename(skill.path)), skillLimits.file_bytes)
  return opened.ok ? (opened.bytes?.toString('utf8') ?? '') : null
}

/** In two turns: as one it would hold up everything else for too long. */
async function loadInParts(): Promise<Yaml> {
  await import('yaml/util')
  await othersFirst()
  return await import('yaml')
}
