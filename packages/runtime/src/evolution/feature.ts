// Skill evolution: what users repeat, and what is missing because of it.
import type { Checkpoints } from '../checkpoint/checkpoints.ts'
import type { Feature } from '../feature/feature.ts'
import type { FeatureContext } from '../feature/feature-context.ts'
import { evolutionHandlers } from './commands.ts'
import { editedFilesOf } from './edited-files.ts'
import { type EvolutionPorts, openEvolution } from './evolution.ts'
import { openGaps } from './record/gaps.ts'
import { openTraces } from './record/traces.ts'

export interface EvolutionNeeds extends Pick<EvolutionPorts, 'isExcluded' | 'skillsFor'> {
  readonly checkpoints: Pick<Checkpoints, 'list' | 'preview' | 'hasTarget'>
}

export function openEvolutionFeature(ground: FeatureContext, { checkpoints, isExcluded, skillsFor }: EvolutionNeeds): Feature {
  const { store, journal, events } = ground
  const traces = openTraces(store)
  const gaps = openGaps(store)
  const evolution = openEvolution({
    ...{ store, journal, events, traces, gaps, isExcluded, skillsFor },
    editedFiles: (earlier, run) => editedFilesOf({ journal, checkpoints }, earlier, run),
  })
  return {
    name: 'evolution',
    commands: evolutionHandlers({ traces, gaps }),
    on: {
      from: 'now',
      hears: { learning_cycle_recorded: ({ data }) => evolution.record(data.run_id, data.cycle_id) },
    },
  }
}
