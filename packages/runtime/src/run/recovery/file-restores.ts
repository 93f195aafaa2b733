// Restores that change only files. Recorded before they begin, so that one that is finished after a crash leaves its run as it is, too.
import type { Store } from '../../store/store.ts'

export interface FileRestores {
  begin(checkpoint_id: string): void
  /** Also for a restore of a whole run: one of its files that never began must not change what it means. */
  end(checkpoint_id: string): void
  isOne(checkpoint_id: string): boolean
}

export function openFileRestores({ sql }: Pick<Store, 'sql'>): FileRestores {
  return {
    begin(checkpoint_id) {
      sql.run`INSERT OR IGNORE INTO file_restores (checkpoint_id) VALUES (${checkpoint_id})`
    },
    end(checkpoint_id) {
      sql.run`DELETE FROM file_restores WHERE checkpoint_id = ${checkpoint_id}`
    },
    isOne: (checkpoint_id) => sql.get`SELECT 1 FROM file_restores WHERE checkpoint_id = ${checkpoint_id}` !== undefined,
  }
}
