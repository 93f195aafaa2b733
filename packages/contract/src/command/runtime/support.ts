// What users may give to support. It contains no free text, only names of the contract, numbers, times and ids, so that no message, file,
// path or key can leak.
import Type, { type Static } from 'typebox'
import { eventNames } from '../../event/index.ts'
import { executorStates, negotiationFailureNames } from '../../executor/index.ts'
import { failureStages, failureTaxonomies, recoverabilities } from '../../failure/index.ts'
import { Count, Flag, Id, listOf, nullable, object, oneOf, Timestamp } from '../../shape.ts'
import type { Command } from '../command.ts'
import { modelAddressStates, modelLocations, sandboxStates, searchProviderNames, windowCloseBehaviors } from './names.ts'

/** An identifier of a program: a version, a platform, a column, the name of a check. */
const Word = Type.String({ minLength: 1, maxLength: 60, pattern: '^[A-Za-z0-9][A-Za-z0-9 _.+-]*$' })

const SeenFailure = object({
  taxonomy: oneOf(failureTaxonomies),
  stage: oneOf(failureStages),
  reason_code: Type.String({ pattern: '^[a-z][a-z0-9_]*$', maxLength: 100 }),
  recoverability: oneOf(recoverabilities),
})

export const SupportBundle = object({
  format: Type.Literal(1),
  made_at: Timestamp,
  product: object({ version: Word, started_at: Timestamp }),
  host: object({
    platform: Word,
    release: Word,
    arch: Word,
    node: Word,
    cpus: Count,
    memory_bytes: Count,
    free_disk_bytes: nullable(Count),
  }),
  settings: object({
    model: oneOf(modelAddressStates),
    model_at: nullable(oneOf(modelLocations)),
    model_key_set: Flag,
    search_provider: nullable(oneOf(searchProviderNames)),
    search_key_set: Flag,
    when_window_closes: oneOf(windowCloseBehaviors),
  }),
  sandbox: object({ state: oneOf(sandboxStates), backend: nullable(Word), checks: listOf(object({ name: Word, held: Flag })) }),
  features: listOf(object({ name: Word, works: Flag })),
  /** How many remote executors are in each state. */
  executors: listOf(object({ state: oneOf(executorStates), reason: nullable(oneOf(negotiationFailureNames)), count: Count })),
  /** How many rows each table of the local store has. */
  counts: listOf(object({ name: Word, count: Count })),
  runs: listOf(object({ state: Word, count: Count })),
  /** Failures among these events, most frequent first. */
  failures: listOf(object({ failure: SeenFailure, count: Count, last_at: Timestamp })),
  /** The last ones recorded, oldest first; of their data only numbers and booleans. */
  events: listOf(
    object({
      no: Count,
      ts: Timestamp,
      event: oneOf(eventNames),
      run_id: nullable(Id),
      failure: nullable(SeenFailure),
      numbers: listOf(object({ name: Word, value: Type.Number() })),
      flags: listOf(object({ name: Word, value: Flag })),
    }),
    { maxItems: 500 },
  ),
})
export type SupportBundle = Static<typeof SupportBundle>

export const supportCommands = {
  runtime_make_support_bundle: {
    summary: 'Create a support bundle without texts, paths, names or keys; show it only, or also write it to a file.',
    params: object({ action: oneOf(['preview', 'write']) }),
    result: object({
      bundle: SupportBundle,
      /** Where it was written; null for a preview. */
      file: nullable(Type.String({ minLength: 1, maxLength: 4_096 })),
    }),
  },
} satisfies Record<string, Command>
