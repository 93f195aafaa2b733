import { joinUsages, printUsage } from '../terminal/args.ts'
import { add, addUsage } from './add.ts'
import { cancel, cancelUsage, rename, renameUsage, share, shareUsage } from './change.ts'
import { files, filesUsage, list, listUsage } from './list.ts'
import { reindex, reindexUsage } from './reindex.ts'
import { remove, removeUsage } from './remove.ts'
import { search, searchUsage } from './search.ts'
import { show, showUsage } from './show.ts'

const verbs: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = {
  add,
  list,
  files,
  search,
  show,
  reindex,
  cancel,
  share,
  rename,
  remove,
}

const usage = joinUsages(
  addUsage,
  listUsage,
  filesUsage,
  searchUsage,
  showUsage,
  reindexUsage,
  cancelUsage,
  shareUsage,
  renameUsage,
  removeUsage,
  'SOURCE is the name or the id of a source.',
)

/** `tandem kb`: the documents that the agents of this device can search. */
export async function kb([verb = 'list', ...args]: readonly string[]): Promise<number> {
  if (verb === '--help' || verb === '-h') {
    console.log(`usage: ${usage}`)
    return 0
  }
  if (verb.startsWith('-')) return await list([verb, ...args])
  const run = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
  return run ? await run(args) : printUsage(`unknown action "${verb}": choose one of ${Object.keys(verbs).join(', ')}`, usage)
}
