// Tokens that a run uses outside of its turns and without a step of its own. Other devices get them with the usage at the end of the run.
import type { Usage } from '@tandem/contract/run'
import type { Store } from '../store/store.ts'

export interface RunUsage {
  add(run_id: string, usage: Usage): void
}

export function openRunUsage({ sql, transaction }: Pick<Store, 'sql' | 'transaction'>): RunUsage {
  return {
    add(run_id, { input_tokens, output_tokens, cached_tokens, estimated }) {
      transaction(
        () =>
          void sql.run`
            UPDATE runs SET input_tokens = input_tokens + ${input_tokens}, output_tokens = output_tokens + ${output_tokens},
              cached_tokens = cached_tokens + ${cached_tokens}, estimated = max(estimated, ${estimated ? 1 : 0})
            WHERE run_id = ${run_id}`,
      )
    },
  }
}
