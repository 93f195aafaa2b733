// Where the files of a source are, as the thread needs to know it.
import type { AccessScope } from '../../sandbox/files/access-rule.ts'
import type { FileTimes } from '../walk/find-files.ts'

export type SourceFiles = { readonly source_id: string } & (
  | {
      readonly kind: 'folder'
      /** A real path. */
      readonly root: string
      readonly home: string
      readonly include: readonly string[]
      readonly exclude: readonly string[]
      readonly secret_paths: readonly string[]
      /** What the agent that added it may read; null if a person did. */
      readonly access: AccessScope | null
    }
  | {
      /** A file that was named by itself, a page or a pasted text. */
      readonly kind: 'single'
      readonly files: readonly { readonly name: string; readonly path: string; readonly isCopy?: true; readonly stats: FileTimes }[]
    }
)
