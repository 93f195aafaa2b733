import type { Half } from './plan.ts'
import type { Run } from './run.ts'

/** One row per planted routine, constraint, remediation and poison: what a measurement compares with. */
export function plantedRows(half: Half) {
  const verdict = ({
    key,
    about,
    gap,
    also,
    why,
    skill,
    runs,
  }: Half['constraints'][number] | Half['routines'][number] | Half['remediations'][number]) => ({ key, about, gap, also, why, skill, runs })
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

/** Replaces what is between the marks of the README by the current tables. */
export function withTables(readme: string, runs: Map<Half, Run[]>): string {
  return [...runs].reduce((text, [half, history]) => {
    const [begin, end] = [`<!-- ${half.name} -->`, `<!-- end of ${half.name} -->`]
    const [before, rest] = text.split(begin)
    const after = rest?.split(end)[1]
    if (before === undefined || after === undefined) throw new Error(`README.md has no marks for ${half.name}`)
    return `${before}${begin}\n${table(half, history)}\n${end}${after}`
  }, readme)
}

function table(half: Half, history: Run[]): string {
  const rows: [
    string,
    string,
    (run: Run) => boolean,
    Half['constraints'][number] | Half['routines'][number] | Half['remediations'][number],
  ][] = [
    ...half.routines.map((one): (typeof rows)[number] => ['routine', one.key, (run) => run.routine === one.key, one]),
    ...half.constraints.map((one): (typeof rows)[number] => ['constraint', one.key, (run) => run.constraints.includes(one.key), one]),
    ...half.remediations.map((one): (typeof rows)[number] => [
      `\`${one.kind}\``,
      one.key,
      (run) => run.remediations.includes(one.key),
      one,
    ]),
  ]
  return [
    '| what | key | it is | runs (en/de) | projects | gap | why | skill that matches |',
    '|---|---|---|---|---|---|---|---|',
    ...rows.map(([what, key, has, { about, gap, also, why, skill }]) => {
      const found = history.filter(has)
      const count = `${found.length} (${found.filter((run) => run.language === 'en').length}/${found.filter((run) => run.language === 'de').length})`
      const kinds = also ? `\`${gap}\`, or \`${also}\`` : `\`${gap}\``
      return `| ${what} | \`${key}\` | ${about} | ${count} | ${new Set(found.map((run) => run.workspace)).size} | ${kinds} | ${why} | ${skill ? `\`${skill}\`` : 'none'} |`
    }),
  ].join('\n')
}
