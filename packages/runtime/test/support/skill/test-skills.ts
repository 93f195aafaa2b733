// Folders with skills, and their own store.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { systemClock } from '../../../src/clock/clock.ts'
import { inspectText } from '../../../src/policy/untrusted-text.ts'
import { skillFolders } from '../../../src/skill/roots.ts'
import { type AgentSkillContext, type SkillPorts, type SkillService, skillService } from '../../../src/skill/service.ts'
import { openRecords, type Records } from '../../../src/store/records.ts'
import { openStore } from '../../../src/store/store.ts'

export interface SkillTestEnvironment {
  readonly root: string
  readonly workspace: string
  /** `<tandem home>/skills` */
  readonly own: string
  /** `<workspace>/.agents/skills` */
  readonly brought: string
  readonly service: SkillService
  readonly records: Records
  readonly situation: AgentSkillContext
  outbox(): unknown[]
  write(path: string, content: string | Buffer): string
  close(): void
}

export function createSkillTestEnvironment(change: Partial<SkillPorts> = {}): SkillTestEnvironment {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-skill-')))
  const [workspace = '', home = '', user_home = ''] = ['workspace', 'home', 'user'].map((name) => join(root, name))
  const own = join(home, 'skills')
  const brought = join(workspace, '.agents/skills')
  for (const folder of [own, brought, user_home]) mkdirSync(folder, { recursive: true })
  const store = openStore({ home, clock: systemClock })
  const records = openRecords(store)
  const database = new DatabaseSync(join(home, 'tandem.db'))
  const service = skillService({
    clock: systemClock,
    inspect: inspectText,
    records,
    home,
    host: { platform: 'linux', user_home, environment: { PATH: process.env.PATH, PRESENT: 'yes' } },
    executors: () => [],
    folders: (at) => skillFolders({ user_home, home, workspace: at, bundled: null, configured: [] }),
    ...change,
  })
  return {
    root,
    workspace,
    own,
    brought,
    service,
    records,
    situation: { agent_id: 'agent', workspace, sandbox_mode: 'workspace' },
    outbox: () =>
      database
        .prepare('SELECT entity_type, entity_id, op FROM outbox ORDER BY no')
        .all()
        .map((row) => ({ ...row })),
    write(path, content) {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, content)
      return path
    },
    close() {
      database.close()
      store.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

export function skillText(name: string, more = '', body = `Do the work of ${name}.`): string {
  return `---\nname: ${name}\ndescription: Helps with ${name}.\n${more}---\n\n${body}\n`
}

/** The part of a frontmatter with requirements; `yaml` is a map on one line. */
export function requiring(yaml: string): string {
  return `metadata:\n  tandem-requires: ${yaml}\n`
}
