// Restores that change only files. Recorded before they begin, so that one that is finished after a crash leaves its run as it is, too.
import type { Store } from '../../store/store.ts'

export interface FileRestores {
  begin(checkpoint_id: string, kind: FileRestoreKind): void
  /** Also for a restore of a whole run: one of its files that never began must not change what it means. */
  end(checkpoint_id: string): void
  /** Null if the whole run is restored. */
  kindOf(checkpoint_id: string): FileRestoreKind | null
}

/** `all`: everything since the point, for a branch. `chosen`: files that the user selected in the list of changes. */
export type FileRestoreKind = 'all' | 'chosen'

export function openFileRestores({ sql }: Pick<Store, 'sql'>): FileRestores {
  return {
    begin(checkpoint_id, kind) {
      sql.run`INSERT OR REPLACE INTO file_restores (checkpoint_id, kind) VALUES (${checkpoint_id}, ${kind})`
    },
    end(checkpoint_id) {
      sql.run`DELETE FROM file_restores WHERE checkpoint_id = ${checkpoint_id}`
    },
    kindOf: (checkpoint_id) =>
      sql.get<{ kind: FileRestoreKind }>`SELECT kind FROM file_restores WHERE checkpoint_id = ${checkpoint_id}`?.kind ?? null,
  }
}
