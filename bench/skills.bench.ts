// How long it takes to find, read and check a thousand skills, and to list many: walking the folders and reading the files is the limit,
// the substitute for a peer reads each file and parses its frontmatter without checking anything.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../packages/runtime/src/clock/clock.ts'
import { inspectText } from '../packages/runtime/src/policy/untrusted-text.ts'
import { skillHandlers } from '../packages/runtime/src/skill/commands.ts'
import { skillFolders } from '../packages/runtime/src/skill/roots.ts'
import { type SkillService, skillService } from '../packages/runtime/src/skill/service.ts'
import { openRecords } from '../packages/runtime/src/store/records.ts'
import { openStore } from '../packages/runtime/src/store/store.ts'
import { type Bench, type BenchRow, median } from './bench.ts'

const count = 1_000
const rounds = 11
/** As many as all public collections together have. */
const many = 16_000
const pageLimit = 200

export const bench: Bench = {
  name: 'skills',
  summary: `${count} skills scanned and validated, medians of ${rounds}; compared with reading each file and parsing its frontmatter, and nothing else; then ${many} skills listed`,
  async run(progress) {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-bench-')))
    const [workspace = '', home = '', user_home = ''] = ['workspace', 'home', 'user'].map((name) => join(root, name))
    const skills = join(home, 'skills')
    for (const folder of [workspace, user_home, skills]) mkdirSync(folder, { recursive: true })
    plant(skills, 0, count)
    const store = openStore({ home, clock: systemClock })
    const open = () =>
      skillService({
        clock: systemClock,
        inspect: inspectText,
        records: openRecords(store),
        home,
        host: { platform: process.platform, user_home, environment: process.env },
        executors: () => [],
        folders: (at) => skillFolders({ user_home, home, workspace: at, bundled: null, configured: [] }),
      })
    const situation = { workspace, sandbox_mode: 'workspace' } as const
    const scan = async (service: ReturnType<typeof open>) => {
      const found = await service.listSkills(situation)
      const usable = found.skills.filter(({ skill }) => skill.problems.length === 0).length
      if (usable !== count) throw new Error(`${usable} of ${count} skills are usable`)
    }
    try {
      const { parse } = createRequire(new URL('../packages/runtime/package.json', import.meta.url))('yaml') as {
        parse(text: string): unknown
      }
      const service = open()
      await scan(service)
      const took = { warm: [] as number[], cold: [] as number[], plain: [] as number[], read: [] as number[] }
      for (let round = 0; round < rounds; round += 1) {
        progress(`round ${round + 1} of ${rounds}`)
        took.read.push(await timed(async () => readAll(skills)))
        took.plain.push(await timed(async () => readAll(skills).map((text) => parse(text.split('---\n')[1] ?? ''))))
        took.warm.push(await timed(() => scan(service)))
        took.cold.push(await timed(() => scan(open())))
      }
      progress(`${many} skills`)
      plant(skills, count, many)
      const all = {
        read: await timed(async () => readAll(skills)),
        plain: await timed(async () => readAll(skills).map((text) => parse(text.split('---\n')[1] ?? ''))),
        cpu: process.cpuUsage(),
        listed: await timed(() => listAll(open(), workspace)),
      }
      const { user, system } = process.cpuUsage(all.cpu)
      return [
        ...rows(median(took.warm), median(took.cold), median(took.plain), median(took.read)),
        ...listRows(all.listed, (user + system) / 1_000, all.plain, all.read),
      ]
    } finally {
      store.close()
      rmSync(root, { recursive: true, force: true })
    }
  },
}

function rows(warm: number, cold: number, plain: number, read: number): BenchRow[] {
  const row = (metric: string, ours: number, target: string | null, met: boolean | null): BenchRow => {
    return { metric, unit: 'ms', better: 'lower', ours, peers: { 'read and parse': plain }, limit: read, target, met }
  }
  return [
    row(`${count} skills, known already`, warm, 'at most 300 ms', warm <= 300),
    row(`${count} skills, for the first time`, cold, null, null),
  ]
}

function listRows(listed: number, cpu: number, plain: number, read: number): BenchRow[] {
  const row = (metric: string, ours: number): BenchRow => {
    return { metric, unit: 'ms', better: 'lower', ours, peers: { 'read and parse': plain }, limit: read, target: null, met: null }
  }
  return [row(`${many} skills listed in ${many / pageLimit} pages, for the first time`, listed), row('the same, CPU time', cpu)]
}

/** All pages, as `tandem skills list` reads them. */
async function listAll(skills: SkillService, workspace: string): Promise<void> {
  const { skill_list } = skillHandlers({
    skills,
    workspaces: { resolve: () => ({ ok: true, value: workspace }), started: () => null },
    agents: { get: () => undefined, default: () => ({ agent_id: 'none' }) },
    runSkills: { given: () => null, changed: () => undefined },
    journal: { run: () => undefined },
  })
  let found = 0
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Awaited<ReturnType<NonNullable<typeof skill_list>>> | undefined = await skill_list?.({
      limit: pageLimit,
      ...(cursor ? { cursor } : {}),
    })
    if (!page?.ok) throw new Error('the skills could not be listed')
    found += page.value.items.length
    cursor = page.value.next_cursor
  }
  if (found !== many) throw new Error(`${found} of ${many} skills were listed`)
}

function plant(skills: string, from: number, to: number): void {
  for (let no = from; no < to; no += 1) {
    const folder = join(skills, `group-${no % 20}`, `skill-${no}`)
    mkdirSync(join(folder, 'reference'), { recursive: true })
    writeFileSync(
      join(folder, 'SKILL.md'),
      `---\nname: skill-${no}\ndescription: Helps with the work number ${no}.\nlicense: MIT\nallowed-tools: Read fs.write\nmetadata:\n  tandem-requires:\n    binaries: [sh]\n    paths: [reference/guide.md]\n---\n\n${`Do step ${no} of the work, then look at what came of it.\n`.repeat(40)}`,
    )
    writeFileSync(join(folder, 'reference', 'guide.md'), `The guide of ${no}.\n`)
  }
}

function readAll(skills: string): string[] {
  return readdirSync(skills, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.name === 'SKILL.md' ? [readFileSync(join(entry.parentPath, entry.name), 'utf8')] : [],
  )
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}
