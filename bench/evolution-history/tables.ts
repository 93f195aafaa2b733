import type { Half, Verdict } from './plan.ts'
import type { Run } from './run.ts'

/** One row per planted routine, constraint, remediation and poison: what a measurement compares with. */
export function plantedRows(half: Half) {
  const verdict = ({ key, about, gap, also, why, skill, runs }: Verdict & { runs: number }) => ({ key, about, gap, also, why, skill, runs })
  return [
    ...half.routines.map((routine) => ({
      half: half.name,
      what: 'routine',
      ...verdict(routine),
      variants: routine.variants,
      steps: routine.steps.map(({ key, after = [], optional = false }) => ({ key, after, optional })),
    })),
    ...half.constraints.map((constraint) => ({
      half: half.name,
      what: 'constraint',
      ...verdict(constraint),
      wordings: constraint.wordings,
    })),
    ...half.remediations.map((remediation) => ({ half: half.name, what: 'remediation', kind: remediation.kind, ...verdict(remediation) })),
    ...half.poison.map((poison) => ({ half: half.name, what: 'poison', ...poison })),
  ]
}

/** Replaces what is between the marks of a page by the current table. */
export function withTable(page: string, name: string, table: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`]
  const [before, rest] = page.split(begin)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined) throw new Error(`The page has no marks for ${name}`)
  return `${before}${begin}\n${table}\n${end}${after}`
}

export const halfTables = (half: Half, history: Run[]) => [planted(half, history), steps(half), registry(half)].join('\n\n')

export function counts(files: [string, Run[]][]): string {
  const lines: [string, (run: Run) => number][] = [
    ['runs', () => 1],
    ['in German', (run) => Number(run.language === 'de')],
    ['part of a routine', (run) => Number(run.part === 'routine')],
    ['with a constraint', (run) => Number(run.constraints.length > 0)],
    ['… of these, part of a routine', (run) => Number(run.constraints.length > 0 && run.routine !== null)],
    ['near misses of a constraint', (run) => Number(run.near_miss !== null)],
    ['with a remediation', (run) => Number(run.remediations.length > 0)],
    ['… of these, part of a routine', (run) => Number(run.remediations.length > 0 && run.routine !== null)],
    ['with a remediation that happens once', (run) => Number(run.decoy !== null)],
    ['list a folder, read a file, answer', (run) => Number(run.part === 'common')],
    ['ordinary', (run) => Number(run.part === 'ordinary' || run.part === 'random')],
    ['poisoned', (run) => Number(run.poison)],
    ['failed', (run) => Number(run.end === 'failed')],
    ['canceled', (run) => Number(run.end === 'canceled')],
    ['restored', (run) => Number(run.events.some((event) => event.what === 'restore'))],
    ['with files edited by hand', (run) => Number(run.edited_files.length > 0)],
    ['calls', (run) => callsOf(run, () => true)],
    ['… failed', (run) => callsOf(run, (state) => state === 'failed')],
    ['… denied', (run) => callsOf(run, (state) => state === 'denied')],
    ['… edited', (run) => callsOf(run, (state) => state === 'edited')],
  ]
  return [
    `| | ${files.map(([name]) => name).join(' | ')} |`,
    `|---|${files.map(() => '---').join('|')}|`,
    ...lines.map(([name, of]) => `| ${name} | ${files.map(([, runs]) => runs.reduce((sum, run) => sum + of(run), 0)).join(' | ')} |`),
  ].join('\n')
}

const callsOf = (run: Run, fits: (state: string) => boolean) =>
  run.events.filter((event) => event.what === 'call' && fits(event.call.state)).length

function planted(half: Half, history: Run[]): string {
  const rows: [string, Verdict, Run[]][] = [
    ...half.routines.map((one): [string, Verdict, Run[]] => ['routine', one, history.filter((run) => run.routine === one.key)]),
    ...half.constraints.map((one): [string, Verdict, Run[]] => [
      'constraint',
      one,
      history.filter((run) => run.constraints.includes(one.key)),
    ]),
    ...half.remediations.map((one): [string, Verdict, Run[]] => [
      `\`${one.kind}\``,
      one,
      history.filter((run) => run.remediations.includes(one.key)),
    ]),
  ]
  return [
    '| what | key | it is | runs (en/de) | projects | gap | why | skill that matches |',
    '|---|---|---|---|---|---|---|---|',
    ...rows.map(([what, { key, about, gap, also, why, skill }, found]) => {
      const german = found.filter((run) => run.language === 'de').length
      const kinds = also ? `\`${gap}\`, or \`${also}\`` : `\`${gap}\``
      const projects = new Set(found.map((run) => run.workspace)).size
      return `| ${what} | \`${key}\` | ${about} | ${found.length} (${found.length - german}/${german}) | ${projects} | ${kinds} | ${why} | ${skill ? `\`${skill}\`` : 'none'} |`
    }),
  ].join('\n')
}

function steps(half: Half): string {
  return [
    '| routine | steps; in parentheses: which must come first; *: may be missing |',
    '|---|---|',
    ...half.routines.map((routine) => {
      const list = routine.steps.map(({ key, after, optional }) => `${key}${optional ? '*' : ''}${after ? ` (${after.join(', ')})` : ''}`)
      return `| \`${routine.key}\`${routine.variants ? `, variants \`${routine.variants.join('`, `')}\`` : ''} | ${list.join('; ')} |`
    }),
  ].join('\n')
}

function registry(half: Half): string {
  return [
    '| skill of the registry | description | bound to |',
    '|---|---|---|',
    ...half.skills.map(({ name, description, bound_to }) => `| \`${name}\` | ${description} | ${bound_to.join(', ') || 'no agent'} |`),
  ].join('\n')
}
