import type { Store } from '../../store/store.ts'
import type { Corrections } from '../record/corrections.ts'
import type { Decisions } from '../record/decisions.ts'
import type { Memories } from '../record/memories.ts'

export interface TransferPorts {
  readonly store: Pick<Store, 'transaction'>
  readonly memories: Memories
  readonly decisions: Decisions
  readonly corrections: Corrections
}
