// The files of a workspace, for the user to choose from while typing.

import type { ToolContext } from '../../call/context.ts'
import type { TreeEntry } from '../../call/files.ts'
import { ignoreRulesBelow } from './list.ts'

const deepest = 16

/** At most `most` files, in the order of the walk, or those found before the timeout; hidden and ignored files are left out. */
export async function findFiles(context: Pick<ToolContext, 'files' | 'workspace' | 'signal'>, most: number): Promise<readonly string[]> {
  const ignoring = await ignoreRulesBelow(context.workspace, context)
  const passes = (entry: TreeEntry) => !entry.name.startsWith('.') && !ignoring.ignores(entry)
  const found: string[] = []
  const enters = async (entry: TreeEntry) => {
    if (entry.depth >= deepest || context.signal.aborted || found.length >= most || !passes(entry)) return false
    await ignoring.enter(entry)
    return true
  }
  for await (const entry of context.files.walk('.', enters)) {
    if (context.signal.aborted || found.length >= most) break
    if (entry.type === 'file' && passes(entry)) found.push(entry.path)
  }
  return found
}
