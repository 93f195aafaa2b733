// Which folders of conversations are offered for the next one. A pure rule.
import type { UsedFolder } from '../../journal/conversations.ts'
import { isInside } from '../../path/inside.ts'

export interface OwnFolders {
  /** Tandem's data: copies of team members are in it. */
  readonly home: string
  /** Where Tandem's program is: a folder of the user only if the user chose it. */
  readonly program: string
}

export function offeredFolders(used: readonly UsedFolder[], { home, program }: OwnFolders): readonly UsedFolder[] {
  return used.filter(({ path, is_chosen }) => !isInside(path, home) && (is_chosen || !isInside(path, program)))
}
