// What one round of the scheduler costs with more and more recommendations: a whole runtime, and recommendations that wait in their shadow,
// in their canary, and live, each with its versions, its validations and the runs that it matched. Nothing can advance, as in most rounds.
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openRuntime } from '../packages/runtime/src/runtime.ts'

const matches = 20
const states = ['shadow_active', 'canary_applied', 'live'] as const

export interface AdvanceTimes {
  readonly size: number
  /** Processor time of each round, in milliseconds. */
  readonly times: readonly number[]
}

export async function advanceTimes(
  sizes: readonly number[],
  rounds: number,
  progress: (line: string) => void,
): Promise<readonly AdvanceTimes[]> {
  const folder = mkdtempSync(join(tmpdir(), 'evolution-advance-'))
  const [home, workspace] = [join(folder, 'home'), join(folder, 'workspace')]
  mkdirSync(workspace)
  const environment = { PATH: process.env.PATH, TANDEM_MEMORY_MODEL: 'off' }
  const runtime = openRuntime({ home, workspace, environment, log: () => undefined, life: 'errand' })
  try {
    const made = await runtime.commands.call('agent_create', { name: 'Bench' })
    if (!made.ok) throw new Error(made.error.message)
    const plant = planter(home, made.value.agent.agent_id)
    const took: AdvanceTimes[] = []
    let planted = 0
    for (const size of sizes) {
      progress(`${size} recommendations`)
      for (; planted < size; planted += 1) plant(planted)
      const times: number[] = []
      // The first round finds what the user changed by hand.
      for (let round = -1; round < rounds; round += 1) {
        const before = process.cpuUsage()
        const answer = await runtime.commands.call('learning_advance_candidates', {})
        const { user, system } = process.cpuUsage(before)
        if (!answer.ok) throw new Error(answer.error.message)
        if (round >= 0) times.push((user + system) / 1_000)
      }
      took.push({ size, times })
    }
    return took
  } finally {
    await runtime.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function planter(home: string, agent_id: string): (at: number) => void {
  const now = '2026-01-01T00:00:00.000Z'
  const id = (kind: number, at: number, more = 0) =>
    `01a0000${kind}-0000-7000-8${more.toString(16).padStart(3, '0')}-${at.toString(16).padStart(12, '0')}`
  return (at) => {
    const database = new DatabaseSync(join(home, 'tandem.db'))
    const state = states[at % states.length] ?? 'live'
    const [recommendation, version, gap, name] = [id(1, at), id(2, at), id(3, at), `routine-${at}`]
    const text = `---\nname: ${name}\ndescription: Routine ${at}\n---\n\n${'Do this step with care.\n'.repeat(40)}`
    const path = join(home, state === 'live' ? 'skills' : 'skill-drafts', state === 'live' ? name : recommendation, 'SKILL.md')
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, text)
    const insert = (table: string, row: Readonly<Record<string, string | number | null>>) => {
      const columns = Object.keys(row)
      database
        .prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`)
        .run(...Object.values(row))
    }
    const of = { run_id: id(4, at), agent_id, conversation_id: id(5, at) }
    insert('runtime_skill_gap_analyses', {
      ...{ id: gap, ...of, gap_kind: 'skill_gap', signature: `signature-${at}`, summary: '', behavior_trace_ids: '[]', repetitions: 5 },
      ...{ confidence: 0.6, matching_skill: null, already_bound: 0, recommendation_id: recommendation, created_at: now },
    })
    insert('runtime_skill_recommendations', {
      ...{
        id: recommendation,
        ...of,
        gap_analysis_id: gap,
        kind: 'local_skill_draft',
        skill_name: name,
        title: name,
        rationale: '',
        state,
      },
      ...{ skill_path: path, skill_version_id: version, binding_policy: 'on_demand', requires: '{}', confidence: 0.6, created_at: now },
      ...{ updated_at: now, version: 1, concerns: '[]' },
    })
    insert('runtime_skill_versions', {
      ...{ id: version, skill_name: name, recommendation_id: recommendation, skill_version: 1, state, skill_path: path, content: text },
      ...{ content_sha256: createHash('sha256').update(text).digest('hex'), summary: 'Draft', created_at: now },
    })
    for (let step = 0; step < 6; step += 1)
      insert('runtime_skill_recommendation_validations', {
        ...{
          id: id(6, at, step),
          recommendation_id: recommendation,
          stage: 'shadow',
          outcome: 'passed',
          from_state: state,
          to_state: state,
        },
        ...{ trigger: 'scheduler', runs_checked: 1, summary: 'A run matched it.', created_at: now },
      })
    for (let match = 0; match < matches; match += 1)
      insert('evolution_matched_runs', {
        ...{ recommendation_id: recommendation, run_id: id(7, at, match), conversation_id: of.conversation_id, score: 1, closeness: 0.1 },
        ...{ stage: state === 'shadow_active' ? 'shadow' : 'canary', in_group: state === 'shadow_active' ? null : 'with', created_at: now },
      })
    database.close()
  }
}
