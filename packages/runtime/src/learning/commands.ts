// The commands to read what runs taught, and to decide about it.
import type { MemoryWritebackCandidate } from '@tandem/contract/learning'
import type { Memory } from '@tandem/contract/memory'
import type { PolicyCandidate } from '@tandem/contract/policy-candidate'
import type { CommandTable } from '../feature/command-table.ts'
import { limitOf, type Paging, pageById, pageOf, positionOf } from '../feature/cursor.ts'
import { agentNotFound, conversationNotFound, runNotFound } from '../feature/not-found.ts'
import type { Outcome } from '../feature/outcome.ts'
import type { Journal } from '../journal/journal.ts'
import type { Store } from '../store/store.ts'
import { crashPoint } from './crashpoint.ts'
import type { Patterns } from './pattern/patterns.ts'
import type { Evaluations } from './record/evaluations.ts'
import type { LearningExclusions } from './record/exclusions.ts'
import type { Reflections } from './record/reflections.ts'
import type { Writebacks } from './record/writebacks.ts'

export interface LearningCommandPorts {
  readonly store: Store
  readonly journal: Journal
  readonly evaluations: Evaluations
  readonly reflections: Reflections
  readonly writebacks: Writebacks
  readonly patterns: Patterns
  readonly exclusions: LearningExclusions
  hasAgent(agent_id: string): boolean
  candidatesOf(run_id: string): readonly PolicyCandidate[]
  /** Writes it to long-term memory, in the transaction of the caller. */
  commit(candidate: MemoryWritebackCandidate): Outcome<Memory>
}

const mostOfRun = 100

export function learningHandlers(ports: LearningCommandPorts): CommandTable {
  const { store, journal, evaluations, reflections, writebacks, patterns, exclusions } = ports

  function missing(kind: 'agent' | 'conversation', id: string): Outcome<never> | null {
    if (kind === 'agent') return ports.hasAgent(id) ? null : agentNotFound(id)
    return journal.conversations.get(id) ? null : conversationNotFound(id)
  }

  function decide<Value>(
    candidate_id: string,
    trigger: 'commit' | 'dismiss',
    act: (candidate: MemoryWritebackCandidate) => Outcome<Value>,
  ): Outcome<Value> {
    return store.transaction(() => {
      const candidate = writebacks.get(candidate_id)
      if (!candidate) return { ok: false, code: 'not_found', message: `there is no memory candidate ${candidate_id}` }
      if (candidate.state !== 'pending') {
        const message = `the memory candidate ${candidate_id} is ${candidate.state} and cannot be ${trigger === 'commit' ? 'committed' : 'dismissed'}`
        return { ok: false, code: 'transition_refused', message, remedy: 'You do not need to do anything.' }
      }
      return act(candidate)
    })
  }

  return {
    learning_list_evaluations: ({ limit, cursor, ...filter }) =>
      pageById('learning_list_evaluations', { limit, cursor } as Paging, (before, most) => evaluations.page(filter, before, most)),
    learning_list_reflections: ({ limit, cursor, ...filter }) =>
      pageById('learning_list_reflections', { limit, cursor } as Paging, (before, most) => reflections.page(filter, before, most)),
    memory_list_writeback_candidates: ({ limit, cursor, ...filter }) =>
      pageById('memory_list_writeback_candidates', { limit, cursor } as Paging, (before, most) => writebacks.page(filter, before, most)),
    agent_run_list_failure_patterns({ limit, cursor, ...filter }) {
      const paging = { limit, cursor } as Paging
      const from = positionOf('agent_run_list_failure_patterns', paging, ['string', 'string'])
      if (!from.ok) return from
      const [last_seen_at, id] = (from.value ?? []).map(String)
      const before = last_seen_at === undefined || id === undefined ? null : { last_seen_at, id }
      const found = patterns.page(filter, before, limitOf(paging) + 1)
      return { ok: true, value: pageOf('agent_run_list_failure_patterns', found, (one) => [one.last_seen_at, one.id], paging) }
    },
    learning_of_run({ run_id }) {
      const run = journal.run(run_id)
      if (!run) return runNotFound(run_id)
      const evaluation = evaluations.ofRun(run_id) ?? null
      return {
        ok: true,
        value: {
          evaluation,
          second_opinion: (evaluation && evaluations.ofStep(evaluation.step_id, 'model')) ?? null,
          dropped_opinion: evaluation && evaluations.droppedOpinion(evaluation.id),
          reflection: (evaluation && reflections.ofEvaluation(evaluation.id)) ?? null,
          patterns: [...patterns.ofRun(run_id)],
          writeback_candidates: [...writebacks.page({ run_id }, null, mostOfRun)],
          policy_candidates: [...ports.candidatesOf(run_id)],
          enabled: !exclusions.has(run.agent_id, run.conversation_id),
        },
      }
    },
    learning_get_enabled: ({ kind, id }) => missing(kind, id) ?? { ok: true, value: { kind, id, enabled: !exclusions.of(kind, id) } },
    learning_set_enabled({ kind, id, enabled }) {
      const unknown = missing(kind, id)
      if (unknown) return unknown
      store.transaction(() => exclusions.set(kind, id, !enabled))
      return { ok: true, value: { kind, id, enabled } }
    },
    memory_commit_writeback_candidate: ({ candidate_id }) =>
      decide(candidate_id, 'commit', (candidate) => {
        const committed = ports.commit(candidate)
        if (!committed.ok) return committed
        crashPoint('writeback_committing')
        const moved = writebacks.move(candidate_id, 'commit', committed.value.id) ?? candidate
        return { ok: true, value: { candidate: moved, memory: committed.value } }
      }),
    memory_dismiss_writeback_candidate: ({ candidate_id }) =>
      decide(candidate_id, 'dismiss', (candidate) => {
        return { ok: true, value: { candidate: writebacks.move(candidate_id, 'dismiss', null) ?? candidate } }
      }),
  }
}
